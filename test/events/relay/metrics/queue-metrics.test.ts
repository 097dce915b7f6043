import { expect, test } from 'vitest';
import { Metrics } from '../../../../events/relay/metrics/metrics.ts';
import { QueueMetrics } from '../../../../events/relay/metrics/queue-metrics.ts';
import { WorkQueue } from '../../../../events/relay/queue/work-queue.ts';
import { anyController } from '../../../../functions/core/controller.ts';
import { vmi } from '../../../../functions/vmi/reads.ts';
import { VirtualTime } from '../support/virtual-time.ts';

async function setUp(controller = anyController(vmi)) {
  const time = new VirtualTime();
  const metrics = new Metrics();
  const queues = new QueueMetrics(metrics, [controller]);
  const { clock, timers } = time.ports;
  const queue = new WorkQueue(clock, timers, () => undefined, queues.observer(controller));
  const value = async (series: string) => {
    const line = (await metrics.text()).split('\n').find((l) => l.startsWith(`kubevirt_workqueue_${series} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return { time, queue, value };
}

const name = '{name="virt-controller-vmi"}';

test('what goes through a queue (runtime.md 12.2)', async () => {
  const { time, queue, value } = await setUp();
  queue.add('a');
  queue.add('a');
  queue.add('b');
  queue.addAfter('c', 60_000);
  expect(await value(`depth${name}`)).toBe(2);
  // Adds of what waits already are none.
  expect(await value(`adds_total${name}`)).toBe(2);
  expect(await value(`retries_total${name}`)).toBe(1);
  await time.advance(3000);
  queue.take();
  expect(await value(`queue_duration_seconds_sum${name}`)).toBe(3);
  await time.advance(1000);
  queue.take();
  await time.advance(2000);
  expect(await value(`longest_running_processor_seconds${name}`)).toBe(3);
  expect(await value(`unfinished_work_seconds${name}`)).toBe(5);
  queue.done('a');
  queue.done('b');
  expect(await value(`work_duration_seconds_sum${name}`)).toBe(5);
  expect(await value(`unfinished_work_seconds${name}`)).toBe(0);
  await time.advance(60_000);
  expect(await value(`adds_total${name}`)).toBe(3);
});

test('an add while the key is processed counts once, and waits from then on', async () => {
  const { time, queue, value } = await setUp();
  queue.add('a');
  queue.take();
  queue.add('a');
  queue.add('a');
  await time.advance(4000);
  queue.done('a');
  queue.take();
  expect(await value(`adds_total${name}`)).toBe(2);
  expect(await value(`queue_duration_seconds_sum${name}`)).toBe(4);
});

test('the depth is never negative, nor is anything else after the queue is closed (CR-03)', async () => {
  const { queue, value } = await setUp();
  queue.add('a');
  queue.take();
  queue.close();
  queue.done('a');
  queue.done('a');
  expect(await value(`depth${name}`)).toBe(0);
  expect(await value(`unfinished_work_seconds${name}`)).toBe(0);
});

test('buckets go from 10 ns to 10 s by tens', async () => {
  const { value } = await setUp();
  for (const bucket of ['1e-8', '0.0001', '10'])
    expect(await value(`work_duration_seconds_bucket{le="${bucket}",name="virt-controller-vmi"}`)).toBe(0);
});

test('a controller may name its queue otherwise', async () => {
  const { value } = await setUp(anyController({ ...vmi, queueName: 'virt-controller-vmclone' }));
  expect(await value('depth{name="virt-controller-vmclone"}')).toBe(0);
});
