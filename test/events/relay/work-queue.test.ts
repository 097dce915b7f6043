import { describe, expect, test } from 'vitest';
import { WorkQueue } from '../../../events/relay/queue/work-queue.ts';
import { VirtualTime } from './support/virtual-time.ts';

function queue() {
  const time = new VirtualTime();
  const { clock, timers } = time.ports;
  return { time, queue: new WorkQueue(clock, timers, () => undefined) };
}

describe('runtime.md 2.1', () => {
  test('runtime case 1: two adds while waiting give one pass', () => {
    const { queue: q } = queue();
    q.add('a');
    q.add('a');
    expect(q.take()).toBe('a');
    expect(q.take()).toBeUndefined();
  });

  test('runtime case 2: two adds while processed give exactly one more pass', () => {
    const { queue: q } = queue();
    q.add('a');
    expect(q.take()).toBe('a');
    q.add('a');
    q.add('a');
    q.done('a');
    expect(q.take()).toBe('a');
    q.done('a');
    expect(q.take()).toBeUndefined();
  });

  test('runtime case 3: a key is never handed out twice at once', () => {
    const { queue: q } = queue();
    q.add('a');
    q.take();
    q.add('a');
    expect(q.take()).toBeUndefined();
  });

  test('runtime case 4: different keys run side by side', () => {
    const { queue: q } = queue();
    q.add('a');
    q.add('b');
    expect([q.take(), q.take()]).toEqual(['a', 'b']);
  });

  test('runtime cases 8 and 9: of two delayed adds the earlier time wins', async () => {
    for (const delays of [
      [60_000, 10_000],
      [10_000, 60_000],
    ]) {
      const { queue: q, time } = queue();
      for (const d of delays) q.addAfter('a', d);
      await time.advance(9_999);
      expect(q.take()).toBeUndefined();
      await time.advance(1);
      expect(q.take()).toBe('a');
      q.done('a');
      await time.advance(100_000);
      expect(q.take()).toBeUndefined();
    }
  });

  test('runtime case 10: a direct add does not cancel a delayed one', async () => {
    const { queue: q, time } = queue();
    q.addAfter('a', 60_000);
    await time.advance(5_000);
    q.add('a');
    expect(q.take()).toBe('a');
    q.done('a');
    await time.advance(55_000);
    expect(q.take()).toBe('a');
  });

  test('a closed queue takes and gives nothing', async () => {
    const { queue: q, time } = queue();
    q.add('a');
    q.addAfter('b', 10);
    q.close();
    q.add('c');
    await time.advance(100);
    expect(q.take()).toBeUndefined();
  });
});
