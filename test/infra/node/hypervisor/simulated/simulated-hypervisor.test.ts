import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeGuestImage } from '../../../../../infra/node/guest/image.ts';
import { HypervisorError } from '../../../../../infra/node/hypervisor/hypervisor.ts';
import { BEAT_MS, BOOT_MS, courseOf } from '../../../../../infra/node/hypervisor/simulated/simulated-guest.ts';
import { SimulatedHypervisor } from '../../../../../infra/node/hypervisor/simulated/simulated-hypervisor.ts';

let folder: string;
let nowMs: number;
let hypervisor: SimulatedHypervisor;
const open = () => new SimulatedHypervisor(join(folder, 'simulated'), () => nowMs);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vf-simulated-'));
  nowMs = 1_000_000;
  hypervisor = open();
});
afterEach(async () => {
  await hypervisor.detach();
  rmSync(folder, { recursive: true });
});

const start = (name: string, disk = 'disk') =>
  hypervisor.start({
    name,
    uuid: '11111111-0000-4000-8000-000000000001',
    memoryBytes: 1,
    cpu: { sockets: 1, cores: 1, threads: 1 },
    machineType: 'q35',
    disks: [{ path: join(folder, disk), target: 'vda', format: 'raw', device: 'disk', bus: 'virtio', readOnly: false }],
    interfaces: [],
    hotplug: true,
    consoleLogPath: join(folder, `${name}.log`),
  });
const state = async (name: string) => (await hypervisor.list()).get(name);
const consoleOf = (name: string) => readFileSync(join(folder, `${name}.log`), 'latin1');
const afterBeats = (beats: number) => {
  nowMs = 1_000_000 + BOOT_MS + beats * BEAT_MS + 1;
};

describe('simulated guests', () => {
  test('write the sample guest’s lines when they are due, and power off after its beats', async () => {
    await writeGuestImage(join(folder, 'disk'), { powerOffAfterBeats: 3 });
    await start('a');
    afterBeats(2);
    expect(await state('a')).toEqual({ type: 'running' });
    expect(consoleOf('a')).toBe('virt-functions guest up\r\nbeat 1\r\nbeat 2\r\n');
    afterBeats(9);
    expect(await state('a')).toEqual({ type: 'off', reason: 'shutdown' });
    expect(consoleOf('a')).toBe('virt-functions guest up\r\nbeat 1\r\nbeat 2\r\nbeat 3\r\n');
  });

  test('panic after their beats: the machine stays until it is destroyed, deaf to its power button', async () => {
    await writeGuestImage(join(folder, 'disk'), { panicAfterBeats: 2 });
    await start('a');
    afterBeats(9);
    await hypervisor.shutdown('a');
    expect(await state('a')).toEqual({ type: 'crashed' });
    expect(consoleOf('a')).toBe('virt-functions guest up\r\nbeat 1\r\nbeat 2\r\n');
    await hypervisor.destroy('a');
    expect(await state('a')).toEqual({ type: 'off', reason: 'destroyed' });
  });

  test('obey the power button once they have booted', async () => {
    await writeGuestImage(join(folder, 'disk'));
    await start('a');
    await hypervisor.shutdown('a');
    expect(await state('a')).toEqual({ type: 'running' });
    afterBeats(1);
    await hypervisor.shutdown('a');
    expect(await state('a')).toEqual({ type: 'off', reason: 'shutdown' });
    afterBeats(5);
    await hypervisor.list();
    expect(consoleOf('a')).toBe('virt-functions guest up\r\nbeat 1\r\n');
  });

  test('can be destroyed and forgotten', async () => {
    await writeGuestImage(join(folder, 'disk'));
    await start('a');
    await hypervisor.destroy('a');
    expect(await state('a')).toEqual({ type: 'off', reason: 'destroyed' });
    await hypervisor.undefine('a');
    expect(await state('a')).toBeUndefined();
  });

  test('go on when the agent comes back, without a line lost or repeated', async () => {
    await writeGuestImage(join(folder, 'disk'));
    await start('a');
    afterBeats(1);
    await hypervisor.list();
    await hypervisor.detach();
    afterBeats(3);
    hypervisor = open();
    expect(await state('a')).toEqual({ type: 'running' });
    expect(consoleOf('a')).toBe('virt-functions guest up\r\nbeat 1\r\nbeat 2\r\nbeat 3\r\n');
  });

  test('do not survive their host', () => {
    const guest = {
      name: 'a',
      consoleLogPath: '',
      startedAtMs: 0,
      hostBoot: 'earlier',
      program: { type: 'sample', powerOffAfterBeats: 0, panicAfterBeats: 0 },
      linesWritten: 0,
    } as const;
    expect(courseOf(guest, 'later', 10).state).toEqual({ type: 'off', reason: 'unknown' });
  });

  test('do not start without their disk', async () => {
    await expect(start('a', 'nothing')).rejects.toThrow(HypervisorError);
  });
});
