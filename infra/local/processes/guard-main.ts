/** The process behind guard.ts: reads what to watch; when its input ends, ends what is watched. */
import { createInterface } from 'node:readline';
import type { GuardMessage } from './guard.ts';
import { stopInOrder, type Target } from './stop-in-order.ts';

const targets = new Map<number, Target>();

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as GuardMessage;
  if ('watch' in message) targets.set(message.watch.pid, message.watch);
  else targets.delete(message.forget);
}
await stopInOrder([...targets.values()]);
