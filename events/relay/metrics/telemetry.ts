/** All that the relay measures: what its parts are given to count with, and what is read of them at a scrape. */
import type { Controller } from '../../../functions/core/controller.ts';
import type { RefusalCount } from '../allow-list/refusals.ts';
import type { DeliveryParts } from '../delivery/delivery-parts.ts';
import type { EventFate } from '../events/recorder.ts';
import type { Clock } from '../ports.ts';
import type { QueueObserver } from '../queue/work-queue.ts';
import { ApiClientMetrics } from './api-client-metrics.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { registerLifeCycleMetrics } from './life-cycle-metrics.ts';
import type { Metrics } from './metrics.ts';
import { registerObjectMetrics } from './object-metrics.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { registerRelayMetrics, type Standing } from './relay-metrics.ts';
import type { Scene } from './scraped-family.ts';
import { SyncMetrics } from './sync-metrics.ts';

export class Telemetry {
  readonly api: ApiClientMetrics;
  readonly deliveries: DeliveryMetrics;
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #queues: QueueMetrics;
  readonly #events;
  #syncs: SyncMetrics | undefined;

  /** `server`: the API server's base address. */
  constructor(metrics: Metrics, clock: Clock, server: string, controllers: readonly Controller[]) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.api = new ApiClientMetrics(metrics, clock, server);
    this.deliveries = new DeliveryMetrics(metrics, clock);
    this.#queues = new QueueMetrics(metrics, controllers);
    this.#events = metrics.counter(
      'virt_functions_relay_events_total',
      'Events about objects, by what became of them.',
      ['component', 'result'],
    );
  }

  /** What is read of the relay whenever somebody asks. */
  watch(scene: Scene, leading: () => boolean, standing: () => Standing, refusals: () => readonly RefusalCount[]): void {
    registerRelayMetrics(this.#metrics, standing);
    registerObjectMetrics(this.#metrics, scene, leading, () => this.#clock.now());
    registerLifeCycleMetrics(this.#metrics, scene.caches, leading);
    this.#syncs = new SyncMetrics(this.#metrics, scene.caches);
    this.#metrics.scraped({
      name: 'virt_functions_relay_refused_actions_total',
      help: 'Actions of functions that the allow list did not let pass, by the rule that they broke.',
      type: 'counter',
      samples: () => refusals().map(({ controller, rule, count }) => ({ labels: { controller, rule }, value: count })),
    });
  }

  queueObserver(controller: Controller): QueueObserver {
    return this.#queues.observer(controller);
  }

  readonly applied: NonNullable<DeliveryParts['onApplied']> = (controller, key, actions, results) => {
    this.deliveries.applied(controller, actions, results);
    this.#syncs?.applied(controller, key, actions, results);
  };

  eventFate(component: string): (fate: EventFate) => void {
    return (result) => this.#events.inc({ component, result });
  }
}
