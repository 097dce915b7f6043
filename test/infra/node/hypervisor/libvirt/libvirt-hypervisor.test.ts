import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeGuestImage } from '../../../../../infra/node/guest/image.ts';
import type { GuestDefinition } from '../../../../../infra/node/hypervisor/guest-definition.ts';
import type { GuestState, Hypervisor } from '../../../../../infra/node/hypervisor/hypervisor.ts';
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
      disks: [{ path, format: 'raw', device: 'disk', bus: 'virtio', readOnly: false }],
      interfaces: [{ mac: '52:54:00:12:34:56', model: 'virtio' }],
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

  test('a guest whose disk is missing does not start', async () => {
    const definition = await guest('test_none', '11111111-0000-4000-8000-000000000004');
    rmSync(join(dataFolder, 'test_none.img'));
    await expect(hypervisor.start(definition)).rejects.toThrow(/test_none/);
    await hypervisor.undefine('test_none');
  });
});
