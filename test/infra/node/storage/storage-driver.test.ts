import { existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KubeClient } from '../../../../infra/node/kube/client.ts';
import { paths } from '../../../../infra/node/kube/paths.ts';
import type { Claim, PersistentVolume, StorageClass } from '../../../../infra/node/storage/objects.ts';
import { StorageDriver } from '../../../../infra/node/storage/storage-driver.ts';
import { VolumeFiles } from '../../../../infra/node/storage/volume-files.ts';
import { ApiServer } from '../api-server.ts';
import { claim, immediate, uidOf, volume, waiting } from './objects.ts';

let folder: string;
let api: ApiServer;
let client: KubeClient;
let files: VolumeFiles;
const drivers: StorageDriver[] = [];
let inUse = new Set<string>();

function startDriver(nodeName = 'node-a', dataFolder = folder): StorageDriver {
  const isInUse = (name: string) => inUse.has(name);
  const driver = new StorageDriver({ client, nodeName, dataFolder, isInUse, log: () => {} });
  drivers.push(driver);
  driver.start();
  return driver;
}
const stopDrivers = () => Promise.all(drivers.splice(0).map((driver) => driver.stop()));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vf-storage-'));
  files = new VolumeFiles(folder);
  inUse = new Set();
  api = new ApiServer();
  client = new KubeClient({ server: await api.listen(), skipVerification: false });
  for (const storageClass of [waiting, immediate]) putClass(storageClass);
});
afterEach(async () => {
  await stopDrivers();
  client.close();
  await api.close();
  rmSync(folder, { recursive: true });
});

const putClass = (c: StorageClass) => api.put(`${paths.storageClasses}/${c.metadata.name}`, c);
const putClaim = (c: Claim) => api.put(paths.claim('default', c.metadata.name), c);
const claimOf = (name: string) => api.get(paths.claim('default', name)) as Claim | undefined;
const nameFor = (name: string) => `pvc-${uidOf(name)}`;
const volumeOf = (name: string) => api.get(paths.volume(nameFor(name))) as PersistentVolume | undefined;
const eventsOf = (name: string) =>
  api
    .events()
    .filter((e) => e.involvedObject?.name === name)
    .map((e) => e.reason);
const seen = async (what: () => boolean): Promise<void> => {
  while (!what()) await sleep(20);
};
/** As kube-controller-manager does. */
function bind(name: string): void {
  const of = claimOf(name);
  if (of !== undefined)
    putClaim({ ...of, spec: { ...of.spec, volumeName: nameFor(name) }, status: { phase: 'Bound' } });
  putPhase(name, 'Bound');
}
function putPhase(name: string, phase: string): void {
  const v = volumeOf(name);
  if (v !== undefined) api.put(paths.volume(nameFor(name)), { ...v, status: { phase } } as PersistentVolume);
}
function release(name: string): void {
  api.delete(paths.claim('default', name));
  putPhase(name, 'Released');
}

describe('local volumes', { timeout: 60_000 }, () => {
  test.each([waiting, immediate])('are made for claims of class $metadata.name, and deleted with them', async (c) => {
    const driver = startDriver();
    putClaim(claim('data', c, '3Mi'));
    await seen(() => volumeOf('data') !== undefined);
    expect(volumeOf('data')).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/provisioned-by': 'virt-functions/local' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '3Mi' },
        claimRef: { namespace: 'default', name: 'data', uid: uidOf('data') },
        local: { path: files.folderOf(nameFor('data')) },
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: c.metadata.name,
        volumeMode: 'Filesystem',
      },
    });
    expect(statSync(files.diskOf(nameFor('data'))).size).toBe(3 * 1024 * 1024);
    expect(driver.claim('default', 'data')).toEqual({ type: 'waiting' });
    bind('data');
    await seen(() => driver.claim('default', 'data').type === 'ready');
    await seen(() => eventsOf('data').length === 2);
    expect(eventsOf('data')).toEqual(['Provisioning', 'ProvisioningSucceeded']);
    release('data');
    await seen(() => volumeOf('data') === undefined);
    expect(existsSync(files.folderOf(nameFor('data')))).toBe(false);
  });

  test('as block devices are files too', async () => {
    startDriver();
    const block = claim('data', immediate);
    putClaim({ ...block, spec: { ...block.spec, volumeMode: 'Block' } });
    await seen(() => volumeOf('data') !== undefined);
    expect(volumeOf('data')?.spec).toMatchObject({
      volumeMode: 'Block',
      local: { path: files.diskOf(nameFor('data')) },
    });
  });

  test('stay over a restart of the driver; what it missed meanwhile is done, and nothing twice', async () => {
    startDriver();
    putClaim(claim('kept', immediate));
    putClaim(claim('gone', immediate));
    await seen(() => volumeOf('kept') !== undefined && volumeOf('gone') !== undefined);
    bind('kept');
    bind('gone');
    await stopDrivers();
    const before = volumeOf('kept')?.metadata.resourceVersion;
    release('gone');
    putClaim(claim('new', waiting));
    const driver = startDriver();
    await seen(() => volumeOf('gone') === undefined && volumeOf('new') !== undefined);
    expect(existsSync(files.folderOf(nameFor('gone')))).toBe(false);
    expect(driver.claim('default', 'kept').type).toBe('ready');
    expect(volumeOf('kept')?.metadata.resourceVersion).toBe(before);
  });

  test('whose making was interrupted: the file is used, or goes when its claim is gone', async () => {
    await files.make(nameFor('data'), 1024 * 1024);
    await files.make(nameFor('gone'), 1024 * 1024);
    const { ino } = statSync(files.diskOf(nameFor('data')));
    putClaim(claim('data', immediate));
    startDriver();
    await seen(() => volumeOf('data') !== undefined && !files.has(nameFor('gone')));
    expect(statSync(files.diskOf(nameFor('data'))).ino).toBe(ino);
    await seen(() => eventsOf('data').includes('ProvisioningSucceeded'));
    expect(await files.unannounced()).toEqual([]);
  });

  test('whose file a guest has are deleted after it', async () => {
    startDriver();
    putClaim(claim('data', immediate));
    await seen(() => volumeOf('data') !== undefined);
    inUse.add(nameFor('data'));
    bind('data');
    release('data');
    await sleep(300);
    expect(files.has(nameFor('data'))).toBe(true);
    inUse.clear();
    await seen(() => volumeOf('data') === undefined);
    expect(files.has(nameFor('data'))).toBe(false);
  });

  test('that are to be kept stay; deleted, only the volume goes', async () => {
    startDriver();
    putClass({ ...immediate, metadata: { name: 'kept' }, reclaimPolicy: 'Retain' });
    putClaim(claim('data', { ...immediate, metadata: { name: 'kept' } }));
    await seen(() => volumeOf('data') !== undefined);
    bind('data');
    release('data');
    api.delete(paths.volume(nameFor('data')));
    await seen(() => volumeOf('data') === undefined);
    expect(files.has(nameFor('data'))).toBe(true);
  });

  test('of two nodes, bound at once: one node has it, the other nothing of it', async () => {
    const other = join(folder, 'other');
    startDriver('node-a');
    startDriver('node-b', other);
    putClaim(claim('data', immediate));
    await seen(() => eventsOf('data').includes('ProvisioningSucceeded'));
    await sleep(300);
    const owner = volumeOf('data')?.spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values;
    const has = [files.has(nameFor('data')), new VolumeFiles(other).has(nameFor('data'))];
    expect(has).toEqual([owner?.[0] === 'node-a', owner?.[0] === 'node-b']);
    expect(has.filter((h) => h)).toHaveLength(1);
  });

  test('for which there is no room: the event says so, the scheduler is asked again, others are served', async () => {
    startDriver();
    putClaim(claim('huge', waiting, '8Ei'));
    await seen(() => eventsOf('huge').includes('ProvisioningFailed'));
    const event = api.events().find((e) => e.reason === 'ProvisioningFailed');
    expect(event?.message).toMatch(/^failed to provision volume with StorageClass "local": .* bytes are asked for/);
    await seen(() => claimOf('huge')?.metadata.annotations?.['volume.kubernetes.io/selected-node'] === undefined);
    putClaim(claim('small', waiting));
    await seen(() => volumeOf('small') !== undefined);
    expect(volumeOf('huge')).toBeUndefined();
  });

  test('for which there was no room are made when another one has gone', async () => {
    const { bavail, bsize } = statfsSync(folder);
    const most = String(Math.floor(bavail * bsize * 0.7));
    startDriver();
    putClaim(claim('first', immediate, most));
    await seen(() => volumeOf('first') !== undefined);
    bind('first');
    putClaim(claim('second', immediate, most));
    await seen(() => eventsOf('second').includes('ProvisioningFailed'));
    release('first');
    await seen(() => volumeOf('second') !== undefined);
  });

  test('that cannot be as they are asked for: the event says why, once', async () => {
    startDriver();
    const shared = claim('shared', waiting);
    putClaim({ ...shared, spec: { ...shared.spec, accessModes: ['ReadWriteMany'] } });
    await seen(() => eventsOf('shared').length > 0);
    putClaim({ ...shared, spec: { ...shared.spec, accessModes: ['ReadWriteMany'] } });
    await sleep(200);
    expect(eventsOf('shared')).toEqual(['ProvisioningFailed']);
    expect(api.events()[0]?.message).toContain('ReadWriteMany is not offered');
  });

  test('do not grow: the event says so', async () => {
    startDriver();
    putClaim(claim('data', immediate));
    await seen(() => volumeOf('data') !== undefined);
    bind('data');
    const bound = claimOf('data') as Claim;
    putClaim({ ...bound, spec: { ...bound.spec, resources: { requests: { storage: '2Gi' } } } });
    await seen(() => eventsOf('data').includes('VolumeResizeFailed'));
    expect(statSync(files.diskOf(nameFor('data'))).size).toBe(1024 * 1024);
  });

  test('that somebody else has made are left alone, whatever they say', async () => {
    const foreign = volume(claim('data', immediate), immediate);
    await files.make(nameFor('data'), 4096);
    await files.announced(nameFor('data'));
    startDriver();
    api.put(paths.volume(nameFor('data')), {
      ...foreign,
      metadata: { ...foreign.metadata, annotations: {} },
      status: { phase: 'Released' },
    } as PersistentVolume);
    await sleep(300);
    expect([files.has(nameFor('data')), volumeOf('data') === undefined]).toEqual([true, false]);
  });
});
