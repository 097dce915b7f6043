import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pod, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { writeGuestImage } from '../../../../infra/node/guest/image.ts';
import { HypervisorUnavailable } from '../../../../infra/node/hypervisor/hypervisor.ts';
import { SimulatedHypervisor } from '../../../../infra/node/hypervisor/simulated/simulated-hypervisor.ts';
import { KubeClient } from '../../../../infra/node/kube/client.ts';
import { consoleLogPath } from '../../../../infra/node/launcher/guest-store.ts';
import { LauncherAgent } from '../../../../infra/node/launcher/launcher-agent.ts';
import { StorageDriver } from '../../../../infra/node/storage/storage-driver.ts';
import { ApiServer } from '../api-server.ts';
import { launcherPod, scheduledVmi } from './objects.ts';

let folder: string;
let api: ApiServer;
let client: KubeClient;
let hypervisor: SimulatedHypervisor;
let agent: LauncherAgent;
let storage: StorageDriver;
const trouble: string[] = [];

function startAgent(): void {
  hypervisor = new SimulatedHypervisor(join(folder, 'simulated'));
  storage = new StorageDriver({
    client,
    nodeName: 'node-a',
    dataFolder: folder,
    isInUse: (volume) => agent.hasVolume(volume),
    log: (l) => trouble.push(l),
  });
  agent = new LauncherAgent({
    client,
    hypervisor,
    nodeName: 'node-a',
    dataFolder: folder,
    claims: storage,
    imageBackOff: { firstPauseMs: 1000, longestPauseMs: 1000 },
    log: (l) => trouble.push(l),
  });
  agent.start();
  storage.start();
}
async function stopAgent(): Promise<void> {
  await Promise.all([agent.stop(), storage.stop()]);
  await hypervisor.detach();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vf-agent-'));
  mkdirSync(join(folder, 'images'));
  api = new ApiServer();
  client = new KubeClient({ server: await api.listen(), skipVerification: false });
  startAgent();
});
afterEach(async () => {
  await stopAgent();
  client.close();
  await api.close();
  rmSync(folder, { recursive: true });
});

const pod = () => api.pod('virt-launcher-vm') as Pod | undefined;
const vmi = () => api.vmi('vm') as VirtualMachineInstance | undefined;
const seen = async (what: () => boolean): Promise<void> => {
  while (!what()) await sleep(20);
};
const podRunning = () => seen(() => pod()?.status?.phase === 'Running');
const vmiIn = (phase: string) => seen(() => vmi()?.status?.phase === phase);
const consoleOf = (): string => {
  const path = consoleLogPath(folder, 'pod-of-vm');
  return existsSync(path) ? readFileSync(path, 'latin1') : '';
};
/** Pod bound, then VMI handed over, as scheduler and VMI controller do. */
async function run(powerOffAfterBeats?: number): Promise<void> {
  await writeGuestImage(join(folder, 'images/guest'), { powerOffAfterBeats });
  api.putPod(launcherPod('vm', 'vmi-1'));
  await podRunning();
  api.putVmi(scheduledVmi('vm', 'vmi-1'));
  await vmiIn('Running');
}

describe('launcher pods on a node', { timeout: 30_000 }, () => {
  test('a guest runs, counts and powers off: pod and VMI succeed', async () => {
    await run(1);
    expect(vmi()?.status).toMatchObject({
      migrationMethod: 'LiveMigration',
      selinuxContext: 'none',
      machine: { type: 'pc-q35-simulated' },
      interfaces: [{ name: 'default', ipAddress: pod()?.status?.podIP, infoSource: 'domain', queueCount: 1 }],
    });
    expect(vmi()?.status?.conditions?.map((c) => [c.type, c.status])).toEqual([
      ['Ready', 'False'],
      ['LiveMigratable', 'True'],
    ]);
    await vmiIn('Succeeded');
    expect(pod()?.status?.phase).toBe('Succeeded');
    expect(vmi()?.status?.phaseTransitionTimestamps?.map((t) => t.phase)).toEqual([
      'Scheduled',
      'Running',
      'Succeeded',
    ]);
    expect(consoleOf()).toBe('virt-functions guest up\r\nbeat 1\r\n');
    expect((await hypervisor.list()).size).toBe(0);
    api.deletePod('virt-launcher-vm', new Date(Date.now() + 30_000).toISOString());
    await seen(() => pod() === undefined);
    await seen(() => !existsSync(join(folder, 'guests/pod-of-vm')));
  });

  test('a deleted pod: the guest is shut down, both succeed, the pod goes', async () => {
    await run();
    await seen(() => consoleOf().includes('beat 1'));
    api.deletePod('virt-launcher-vm', new Date(Date.now() + 30_000).toISOString());
    await seen(() => pod() === undefined);
    expect(vmi()?.status?.phase).toBe('Succeeded');
  });

  test('a deleted VMI: the guest is shut down though its pod is not deleted', async () => {
    await run();
    const deletionTimestamp = new Date().toISOString();
    api.putVmi({ ...vmi(), metadata: { ...vmi()?.metadata, deletionTimestamp } } as VirtualMachineInstance);
    await vmiIn('Succeeded');
    expect(pod()?.status?.phase).toBe('Succeeded');
  });

  test('a guest that somebody kills: both fail', async () => {
    await run();
    await hypervisor.destroy('default_vm');
    await vmiIn('Failed');
    expect(pod()?.status).toMatchObject({ phase: 'Failed', message: 'the guest was killed' });
  });

  test('an image that comes late', async () => {
    api.putPod(launcherPod('vm', 'vmi-1'));
    const waiting = () => pod()?.status?.initContainerStatuses?.[1]?.state?.waiting;
    await seen(() => waiting()?.reason === 'ErrImagePull');
    await writeGuestImage(join(folder, 'images/guest'));
    await podRunning();
  });

  test('a guest that this node cannot run: both fail and say why', async () => {
    await writeGuestImage(join(folder, 'images/guest'));
    api.putPod(launcherPod('vm', 'vmi-1'));
    await podRunning();
    const wanted = scheduledVmi('vm', 'vmi-1');
    wanted.spec.volumes?.push({ name: 'host', hostDisk: { path: '/etc/passwd', type: 'Disk' } });
    api.putVmi(wanted);
    await vmiIn('Failed');
    expect(pod()?.status?.message).toContain('hostDisk');
  });

  test('a hypervisor that goes away while a guest starts: it is started later', async () => {
    const start = hypervisor.start.bind(hypervisor);
    let refusals = 0;
    hypervisor.start = (definition) => {
      if (refusals++ > 0) return start(definition);
      return Promise.reject(new HypervisorUnavailable('gone'));
    };
    await run();
    expect(refusals).toBe(2);
  });

  test('the agent restarts: the guest goes on, nothing is written', async () => {
    await run();
    await stopAgent();
    const before = [pod()?.metadata.resourceVersion, vmi()?.metadata.resourceVersion];
    startAgent();
    await seen(() => consoleOf().includes('beat 2'));
    expect([pod()?.metadata.resourceVersion, vmi()?.metadata.resourceVersion]).toEqual(before);
    expect(Object.fromEntries(await hypervisor.list())).toEqual({ default_vm: { type: 'running' } });
  });

  test('a pod that vanishes takes guest and files with it; the VMI is left to its controller', async () => {
    await run();
    api.removePod('virt-launcher-vm');
    await seen(() => !existsSync(join(folder, 'guests/pod-of-vm')));
    expect((await hypervisor.list()).size).toBe(0);
    expect(vmi()?.status?.phase).toBe('Running');
  });

  test('a VMI of the same name that is another one is left alone', async () => {
    await writeGuestImage(join(folder, 'images/guest'));
    api.putPod(launcherPod('vm', 'vmi-1'));
    await podRunning();
    api.putVmi(scheduledVmi('vm', 'vmi-2'));
    api.deletePod('virt-launcher-vm', new Date(Date.now() + 30_000).toISOString());
    await seen(() => pod() === undefined);
    expect(vmi()?.status?.phase).toBe('Scheduled');
  });

  test('pods of other kinds are left alone', async () => {
    const other = launcherPod('vm', 'vmi-1');
    api.putPod({ ...other, metadata: { ...other.metadata, labels: { 'kubevirt.io': 'hotplug-disk' } } });
    await sleep(300);
    expect(pod()?.status?.phase).toBe('Pending');
  });
});
