/** The process behind guard.ts: reads what to watch; when its input ends, ends what is watched. */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { GuardMessage } from './guard.ts';
import { stopInOrder, type Target } from './stop-in-order.ts';

const targets = new Map<number, Target>();
const folders = new Set<string>();

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as GuardMessage;
  if ('watch' in message) targets.set(message.watch.pid, message.watch);
  else if ('remove' in message) folders.add(message.remove);
  else targets.delete(message.forget);
}
await stopInOrder([...targets.values()]);
for (const folder of folders) await rm(folder, { recursive: true, force: true });
