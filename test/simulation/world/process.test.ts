import { expect, test } from 'vitest';
import { noFaults } from '../faults/injector.ts';
import { SimulatedProcess } from './process.ts';
import { World } from './world.ts';

function processIn() {
  const world = new World({ seed: 1, definitions: [], controllers: [], injector: noFaults, replicas: 0 });
  return { time: world.time, process: new SimulatedProcess(world, 'p', 500) };
}

test('a paused process takes what came when it wakes, in order; a killed one never', async () => {
  const { time, process } = processIn();
  const ran: string[] = [];
  process.ports.timers.after(10, () => ran.push(`first at ${time.now - begun}`));
  process.ports.timers.after(20, () => ran.push(`second at ${time.now - begun}`));
  const begun = time.now;
  process.pause();
  await time.drive(time.sleep(50));
  process.wake();
  expect(ran).toEqual(['first at 50', 'second at 50']);
  process.ports.timers.after(10, () => ran.push('never'));
  process.kill();
  await time.drive(time.sleep(50));
  expect(ran).toHaveLength(2);
});

test('its wall clock may be off, its monotonic clock only counts', () => {
  const { time, process } = processIn();
  const { clock } = process.ports;
  expect([clock.now() - time.now, clock.monotonic() - time.now]).toEqual([500, 0]);
});
