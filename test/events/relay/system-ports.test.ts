import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemPorts } from '../../../events/relay/system-ports.ts';

test.each([2 ** 31, 1e12, 1e308])('a timer of %d ms does not run at once', async (ms) => {
  let ran = false;
  const cancel = systemPorts(() => 0).timers.after(ms, () => (ran = true));
  await pause(50);
  cancel();
  expect(ran).toBe(false);
});
