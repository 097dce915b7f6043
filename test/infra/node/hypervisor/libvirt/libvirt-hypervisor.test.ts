import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countBoot } from '../../../../../infra/node/guest/boot-count.ts';
import { writeGuestImage } from '../../../../../infra/node/guest/image.ts';
import { freeTarget } from '../../../../../infra/node/hypervisor/disk-target.ts';
import type { GuestDefinition } from '../../../../../infra/node/hypervisor/guest-definition.ts';
import { type GuestState, type Hypervisor, HypervisorError } from '../../../../../infra/node/hypervisor/hypervisor.ts';
import { openHypervisor } from '../../../../../infra/node/hypervisor/open-hypervisor.ts';
import { missingPrograms, probeHypervisor } from '../../../../../infra/node/hypervisor/probe.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'vf-libvirt-'));
const missing = missingPrograms();
const probe = await probeHypervisor({ dataFolder });
// On a machine that has the programs, continuous integration wants to see why they cannot be used.
const skip = probe.kind === 'simulated' && (missing.length > 0 || process.env.CI !== 'true');
if (skip) rmSync(dataFolder, { recursive: true });

describe.skipIf(skip)(`guests under libvirt${skip ? ` (skipped: ${probe.reason})` : ''}`, { timeout: 120_000 }, () => {
  let hypervisor: Hypervisor;
  beforeAll(async () => {
    hypervisor = (await openHypervisor(dataFolder, 'libvirt')).hypervisor;
  }, 120_000);
  afterAll(async () => {
    await hypervisor.stop();
    rmSync(dataFolder, { recursive: true });
  }, 60_000);

  const guest = async (name: string, uuid: string, powerOffAfterBeats?: number): Promise<GuestDefinition> => {
    const path = join(dataFolder, `${name}.img`);
    await writeGuestImage(path, { powerOffAfterBeats });
    return {
      name,
      uuid,
      memoryBytes: 64 * 1024 * 1024,
      machineType: 'q35',
      cpu: { sockets: 1, cores: 1, threads: 1 },
      disks: [{ path, target: 'vda', format: 'raw', device: 'disk', bus: 'virtio', readOnly: false }],
      interfaces: [{ mac: '52:54:00:12:34:56', model: 'virtio' }],
      hotplug: true,
      consoleLogPath: join(dataFolder, `${name}.log`),
    };
  };
  const stateOf = async (name: string): Promise<GuestState | undefined> => (await hypervisor.list()).get(name);
  const seen = async (what: () => Promise<boolean>): Promise<void> => {
    while (!(await what())) await sleep(200);
  };
  const consoleOf = (name: string) => readFile(join(dataFolder, `${name}.log`), 'latin1').catch(() => '');

  test('the host is described, and no guest is there', async () => {
    const host = await hypervisor.describeHost();
    expect(host.capabilities).toContain('<capabilities>');
    expect(host.domainCapabilities).toContain('<domainCapabilities>');
    expect((await hypervisor.list()).size).toBe(0);
  });

  test('a guest says its line, counts, and powers off after 3 beats', async () => {
    let hints = 0;
    hypervisor.onHint(() => {
      hints++;
    });
    const definition = await guest('test_three', '11111111-0000-4000-8000-000000000001', 3);
    expect((await hypervisor.start(definition)).machineType).toMatch(/^pc-q35-/);
    await seen(async () => (await stateOf('test_three'))?.type === 'off');
    expect(await stateOf('test_three')).toEqual({ type: 'off', reason: 'shutdown' });
    expect(await consoleOf('test_three')).toBe('virt-functions guest up\r\nbeat 1\r\nbeat 2\r\nbeat 3\r\n');
    expect(hints).toBeGreaterThan(0);
    await hypervisor.undefine('test_three');
    expect(await stateOf('test_three')).toBeUndefined();
  });

  test('a guest obeys the power button', async () => {
    await hypervisor.start(await guest('test_button', '11111111-0000-4000-8000-000000000002'));
    await seen(async () => (await consoleOf('test_button')).includes('beat 2'));
    await hypervisor.shutdown('test_button');
    await seen(async () => (await stateOf('test_button'))?.type === 'off');
    expect(await stateOf('test_button')).toEqual({ type: 'off', reason: 'shutdown' });
    await hypervisor.shutdown('test_button');
    await hypervisor.undefine('test_button');
  });

  test('a guest outlives its hypervisor object, is found again, and can be destroyed', async () => {
    await hypervisor.start(await guest('test_kept', '11111111-0000-4000-8000-000000000003'));
    await hypervisor.detach();
    hypervisor = (await openHypervisor(dataFolder, 'libvirt')).hypervisor;
    expect(await stateOf('test_kept')).toEqual({ type: 'running' });
    await hypervisor.destroy('test_kept');
    expect(await stateOf('test_kept')).toEqual({ type: 'off', reason: 'destroyed' });
    await hypervisor.destroy('test_kept');
    await hypervisor.undefine('test_kept');
    await hypervisor.undefine('test_kept');
  });

  test('a second disk counts boots, over guests; a disk that holds something else is left alone', async () => {
    const data = join(dataFolder, 'data.img');
    const used = join(dataFolder, 'used.img');
    await writeFile(data, Buffer.alloc(1024 * 1024));
    await writeFile(used, Buffer.alloc(1024 * 1024, 'user'));
    const bootsWith = async (name: string, path: string): Promise<string> => {
      const definition = await guest(name, '11111111-0000-4000-8000-000000000005', 1);
      const second = { path, target: 'vdb', format: 'raw', device: 'disk', bus: 'virtio', readOnly: false } as const;
      await hypervisor.start({ ...definition, disks: [...definition.disks, second] });
      await seen(async () => (await stateOf(name))?.type === 'off');
      await hypervisor.undefine(name);
      return consoleOf(name);
    };
    const up = 'virt-functions guest up\r\n';
    expect(await bootsWith('test_first', data)).toBe(`${up}disk boot 1\r\nbeat 1\r\n`);
    expect(await bootsWith('test_again', data)).toBe(`${up}disk boot 2\r\nbeat 1\r\n`);
    expect(await bootsWith('test_used', used)).toBe(`${up}beat 1\r\n`);
    expect((await readFile(used)).equals(Buffer.alloc(1024 * 1024, 'user'))).toBe(true);
    // The simulated hypervisor counts as the guest does.
    expect([await countBoot(data), await countBoot(used)]).toEqual([3, undefined]);
  });

  test.each(['scsi', 'virtio'] as const)(
    'disks on the bus %s are plugged into a running guest, and asked out',
    async (bus) => {
      const path = join(dataFolder, 'extra.img');
      await writeFile(path, Buffer.alloc(1024 * 1024));
      const name = `test_${bus}`;
      await hypervisor.start(await guest(name, '11111111-0000-4000-8000-000000000006'));
      await seen(async () => (await consoleOf(name)).includes('beat 1'));
      const boot = { target: 'vda', path: join(dataFolder, `${name}.img`) };
      expect(await hypervisor.disksOf(name)).toEqual([boot]);
      const target = freeTarget(bus, new Set(['vda']));
      const disk = { path, target, format: 'raw', device: 'disk', bus, readOnly: false, serial: 'extra' } as const;
      await hypervisor.plugIn(name, disk);
      expect(await hypervisor.disksOf(name)).toEqual([boot, { target, path }]);
      await expect(hypervisor.plugIn(name, disk)).rejects.toThrow(HypervisorError);
      await hypervisor.plugOut(name, target);
      await hypervisor.plugOut(name, target);
      // As many more as there are ports for.
      for (const n of bus === 'virtio' ? [1, 2, 3] : []) {
        const more = join(dataFolder, `extra${n}.img`);
        await writeFile(more, Buffer.alloc(1024 * 1024));
        await hypervisor.plugIn(name, { ...disk, path: more, target: `vd${'cdef'[n]}`, serial: undefined });
      }
      // A guest has to take part where the bus is PCI, and the sample guest does not.
      const left = (await hypervisor.disksOf(name)).map((d) => d.target);
      expect(left).toEqual(bus === 'scsi' ? ['vda'] : ['vda', 'vdb', 'vdd', 'vde', 'vdf']);
      await hypervisor.destroy(name);
      await hypervisor.undefine(name);
    },
  );

  test('a guest whose disk is missing does not start', async () => {
    const definition = await guest('test_none', '11111111-0000-4000-8000-000000000004');
    rmSync(join(dataFolder, 'test_none.img'));
    await expect(hypervisor.start(definition)).rejects.toThrow(/test_none/);
    await hypervisor.undefine('test_none');
  });
});
