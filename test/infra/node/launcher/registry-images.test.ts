import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pod, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { SimulatedHypervisor } from '../../../../infra/node/hypervisor/simulated/simulated-hypervisor.ts';
import { KubeClient } from '../../../../infra/node/kube/client.ts';
import { LauncherAgent } from '../../../../infra/node/launcher/launcher-agent.ts';
import { StorageDriver } from '../../../../infra/node/storage/storage-driver.ts';
import { ApiServer } from '../api-server.ts';
import { RegistryServer } from '../images/registry-server.ts';
import { diskLayer, guestDisk, sha256 } from '../images/test-image.ts';
import { launcherPod, scheduledVmi } from './objects.ts';

const REPOSITORY = 'disks/guest';
let folder: string;
let api: ApiServer;
let client: KubeClient;
let registry: RegistryServer;
let hypervisor: SimulatedHypervisor;
let agent: LauncherAgent;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vf-images-'));
  registry = new RegistryServer();
  api = new ApiServer();
  await registry.listen();
  client = new KubeClient({ server: await api.listen(), skipVerification: false });
  hypervisor = new SimulatedHypervisor(join(folder, 'simulated'));
  const imageBackOff = { firstPauseMs: 4000, longestPauseMs: 4000 };
  agent = new LauncherAgent({
    client,
    hypervisor,
    nodeName: 'node-a',
    dataFolder: folder,
    claims: new StorageDriver({ client, nodeName: 'node-a', dataFolder: folder, isInUse: () => false, log: () => {} }),
    imageBackOff,
    log: () => {},
  });
  agent.start();
});
afterEach(async () => {
  await agent.stop();
  await hypervisor.detach();
  client.close();
  await Promise.all([api.close(), registry.close()]);
  rmSync(folder, { recursive: true });
});

const pod = () => api.pod('virt-launcher-vm') as Pod | undefined;
const disk = () => pod()?.status?.initContainerStatuses?.find((s) => s.name === 'volumeboot');
const waiting = () => disk()?.state?.waiting;
const seen = async (what: () => boolean): Promise<void> => {
  while (!what()) await sleep(20);
};
const podRunning = () => seen(() => pod()?.status?.phase === 'Running');
const put = (target: string, imagePullSecrets: { name: string }[] = []): void => {
  const made = launcherPod('vm', 'vmi-1', `${registry.host}/${REPOSITORY}${target}`);
  api.putPod({ ...made, spec: { ...made.spec, imagePullSecrets } } as Pod);
};

describe('containerDisks from a registry', { timeout: 30_000 }, () => {
  test('a guest runs from an image that is named by its digest; the status says the digest', async () => {
    const digest = registry.addImage(REPOSITORY, 'v1', [diskLayer(guestDisk({ powerOffAfterBeats: 1 }))]);
    put(`@${digest}`);
    await podRunning();
    expect(disk()?.imageID).toBe(`${registry.host}/${REPOSITORY}@${digest}`);
    api.putVmi(scheduledVmi('vm', 'vmi-1', `${registry.host}/${REPOSITORY}@${digest}`));
    await seen(() => (api.vmi('vm') as VirtualMachineInstance | undefined)?.status?.phase === 'Succeeded');
  });

  test('a pod is being created while its image is on its way', async () => {
    const layer = diskLayer();
    registry.addImage(REPOSITORY, 'v1', [layer]);
    registry.faults.set(sha256(layer.blob), { type: 'slow', pauseMs: 200 });
    put(':v1');
    await seen(() => waiting() !== undefined);
    expect(waiting()).toEqual({ reason: 'ContainerCreating' });
    expect(disk()?.imageID).toBe('');
    await podRunning();
  });

  test('an image that comes late: error, back-off, and then the pod runs', async () => {
    put(':v1');
    await seen(() => waiting()?.reason === 'ErrImagePull');
    expect(waiting()?.message).toMatch(/guest:v1 is not found/);
    await seen(() => waiting()?.reason === 'ImagePullBackOff');
    expect(waiting()?.message).toMatch(/^Back-off pulling image ".*": ErrImagePull: .* is not found/);
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    await podRunning();
  });

  test('an image that needs credentials: those of the pod’s Secret are used, once it is there', async () => {
    registry.addImage(REPOSITORY, 'v1', [diskLayer()]);
    registry.access = { type: 'token', username: 'robot', password: 'secret word' };
    put(':v1', [{ name: 'pull' }]);
    await seen(() => waiting()?.reason === 'ErrImagePull');
    expect(waiting()?.message).toContain('there is no Secret pull');
    api.putPullSecret('pull', registry.host, 'robot', 'secret word');
    await podRunning();
  });

  test('a pod that is deleted while it waits for its image goes at once', async () => {
    put(':v1');
    await seen(() => waiting() !== undefined);
    api.deletePod('virt-launcher-vm', new Date(Date.now() + 30_000).toISOString());
    await seen(() => pod() === undefined);
  });

  test('a name that is none', async () => {
    put(':v 1');
    await seen(() => waiting()?.reason === 'InvalidImageName');
  });
});
