import { expect, test } from 'vitest';
import { BEGIN_MS, VirtualTime } from './virtual-time.ts';

test('timers run in the order of their times, then of their making; what is cancelled does not', async () => {
  const time = new VirtualTime();
  const ran: string[] = [];
  const note = (text: string) => () => ran.push(`${text} at ${time.now - BEGIN_MS}`);
  time.after(20, note('c'));
  time.after(10, note('a'));
  time.after(10, note('b'));
  time.after(15, note('never'))();
  time.after(0, () => time.after(5, note('made later')));
  await time.drive(time.sleep(30));
  expect(ran).toEqual(['made later at 5', 'a at 10', 'b at 10', 'c at 20']);
});

test('a thousand timers in any order', async () => {
  const time = new VirtualTime();
  const ran: number[] = [];
  const delays = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1009);
  for (const delay of delays) time.after(delay, () => ran.push(delay));
  await time.drive(time.sleep(2000));
  expect(ran).toEqual(delays.toSorted((a, b) => a - b));
});

test('time stands still while something computes', async () => {
  const time = new VirtualTime();
  const computed = time.computing();
  setTimeout(computed, 20);
  const seen = time.sleep(1).then(() => performance.now());
  const begun = performance.now();
  expect(await time.drive(seen)).toBeGreaterThan(begun + 10);
});

test('what waits for nothing is told', async () => {
  await expect(new VirtualTime().drive(new Promise(() => undefined))).rejects.toThrow('nothing is due');
});
