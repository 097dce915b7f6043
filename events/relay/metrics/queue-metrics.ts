import type { Controller } from '../../../functions/core/controller.ts';
import type { QueueObserver, WorkQueue } from '../queue/work-queue.ts';
import type { Metrics } from './metrics.ts';

const buckets = Array.from({ length: 10 }, (_, i) => 10 ** (i - 8));

type Queue = Pick<WorkQueue, 'depth' | 'longestRunningMs' | 'unfinishedMs'>;

/** What is told of the controllers' queues (runtime.md 12.2). Depths and ages are read when somebody asks. */
export class QueueMetrics {
  readonly #queues = new Map<string, Queue>();
  readonly #adds;
  readonly #waits;
  readonly #works;
  readonly #retries;

  /** Series of every controller are there from the start; its queue may come later. */
  constructor(metrics: Metrics, controllers: readonly Controller[]) {
    const labels = ['name'] as const;
    this.#adds = metrics.counter('kubevirt_workqueue_adds_total', 'Keys added to the queue.', labels);
    this.#waits = metrics.histogram(
      'kubevirt_workqueue_queue_duration_seconds',
      'How long keys wait in the queue.',
      labels,
      buckets,
    );
    this.#works = metrics.histogram(
      'kubevirt_workqueue_work_duration_seconds',
      'How long the passes of keys take.',
      labels,
      buckets,
    );
    this.#retries = metrics.counter('kubevirt_workqueue_retries_total', 'Keys to be added after some time.', labels);
    this.#read(metrics, 'kubevirt_workqueue_depth', 'Keys waiting in the queue.', (q) => q.depth);
    this.#read(
      metrics,
      'kubevirt_workqueue_longest_running_processor_seconds',
      'Age of the oldest pass under way.',
      (q) => q.longestRunningMs / 1000,
    );
    this.#read(
      metrics,
      'kubevirt_workqueue_unfinished_work_seconds',
      'Sum of the ages of all passes under way.',
      (q) => q.unfinishedMs / 1000,
    );
    for (const controller of controllers) {
      const labels = labelsOf(controller);
      this.#queues.set(labels.name, { depth: 0, longestRunningMs: 0, unfinishedMs: 0 });
      this.#adds.inc(labels, 0);
      this.#retries.inc(labels, 0);
      this.#waits.zero(labels);
      this.#works.zero(labels);
    }
  }

  observer(controller: Controller): QueueObserver {
    const labels = labelsOf(controller);
    return {
      opened: (queue) => void this.#queues.set(labels.name, queue),
      added: () => this.#adds.inc(labels),
      taken: (waitedMs) => this.#waits.observe(labels, waitedMs / 1000),
      done: (workedMs) => this.#works.observe(labels, workedMs / 1000),
      delayed: () => this.#retries.inc(labels),
    };
  }

  #read(metrics: Metrics, name: string, help: string, value: (queue: Queue) => number): void {
    const samples = () => [...this.#queues].map(([queue, q]) => ({ labels: { name: queue }, value: value(q) }));
    metrics.scraped({ name, help, type: 'gauge', samples });
  }
}

function labelsOf({ name, queueName }: Controller): { readonly name: string } {
  return { name: queueName ?? `virt-controller-${name}` };
}
