import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pod, VirtualMachine, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { ApiError, mergePatch } from '../../infra/local/kube-client.ts';
import { storageClassNames } from '../../infra/local/stack/storage-classes.ts';
import { prepareDaemonFolder } from '../../infra/node/hypervisor/libvirt/daemon-folder.ts';
import { Virsh } from '../../infra/node/hypervisor/libvirt/virsh.ts';
import { daemonMode } from '../../infra/node/hypervisor/probe.ts';
import type { Claim, PersistentVolume } from '../../infra/node/storage/objects.ts';
import { smallVm, until } from './support/cluster-player.ts';
import { GUEST_IMAGE, type LocalStack, startLocalStack } from './support/local-stack.ts';

const NAMESPACE = 'disks';
const core = `/api/v1/namespaces/${NAMESPACE}`;
const kubevirt = `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}`;
let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack(NAMESPACE);
});
afterAll(() => stack?.stop());

async function get<T>(path: string): Promise<T | undefined> {
  try {
    return (await stack.request('GET', path)) as T;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
const vm = (name: string) => get<VirtualMachine>(`${kubevirt}/virtualmachines/${name}`);
const vmi = (name: string) => get<VirtualMachineInstance>(`${kubevirt}/virtualmachineinstances/${name}`);
const claim = (name: string) => get<Claim>(`${core}/persistentvolumeclaims/${name}`);
const pods = async (label: string): Promise<readonly Pod[]> => {
  const found = await get<{ items: Pod[] }>(`${core}/pods?labelSelector=kubevirt.io%3D${label}`);
  return found?.items ?? [];
};
const launcherOf = async (name: string): Promise<Pod | undefined> =>
  (await pods('virt-launcher')).find(
    (pod) => pod.metadata.annotations?.['kubevirt.io/domain'] === name && pod.status?.phase === 'Running',
  );
const volumeStatus = async (name: string, volume: string) =>
  (await vmi(name))?.status?.volumeStatus?.find((entry) => entry.name === volume);

interface Template {
  domain: { devices: { disks: object[] } };
  volumes: object[];
}

/** Of the default storage class, unless another one is named. */
async function createClaim(name: string, storage = '1Mi', spec: object = {}): Promise<void> {
  await stack.request('POST', `${core}/persistentvolumeclaims`, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
  });
}

/** A VM with the sample guest; perhaps with a claim as its second disk. */
function vmWith(name: string, claimName?: string) {
  const object = smallVm(name) as { spec: { template: { spec: Template } } };
  const { spec } = object.spec.template;
  spec.volumes = [{ name: 'boot', containerDisk: { image: GUEST_IMAGE } }];
  if (claimName !== undefined) {
    spec.domain.devices.disks.push({ name: 'data', disk: { bus: 'virtio' } });
    spec.volumes.push({ name: 'data', persistentVolumeClaim: { claimName } });
  }
  Object.assign(spec, { terminationGracePeriodSeconds: 5 });
  return object;
}
async function createVm(name: string, claimName?: string): Promise<void> {
  await stack.request('POST', `${kubevirt}/virtualmachines`, vmWith(name, claimName));
}
const patchVm = (name: string, patch: object) =>
  stack.request('PATCH', `${kubevirt}/virtualmachines/${name}`, patch, mergePatch);
/** A VMI of its own, without a VM. */
async function createInstance(name: string): Promise<void> {
  const { spec } = vmWith(name).spec.template;
  const object = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name }, spec };
  await stack.request('POST', `${kubevirt}/virtualmachineinstances`, object);
}
/** As its user changes a VM's disks and volumes, or virt-api those of a VMI for its user. */
async function changeDisks(plural: string, name: string, change: (spec: Template) => void): Promise<void> {
  const path = `${kubevirt}/${plural}/${name}`;
  const { spec } = (await get<{ spec: Template & { template?: { spec: Template } } }>(path)) ?? {};
  const changed = spec?.template?.spec ?? spec;
  if (changed === undefined) throw new Error(`${name} is gone`);
  change(changed);
  const { disks } = changed.domain.devices;
  const patch = { domain: { devices: { disks } }, volumes: changed.volumes };
  await stack.request(
    'PATCH',
    path,
    { spec: spec?.template === undefined ? patch : { template: { spec: patch } } },
    mergePatch,
  );
}
const status = async (name: string) => (await vm(name))?.status?.printableStatus;

/** The guest of a VM or VMI that runs and has beaten. */
async function running(name: string): Promise<{ readonly pod: Pod; readonly console: string }> {
  await until(`${name} running`, async () => (await vmi(name))?.status?.phase === 'Running');
  const pod = await launcherOf(name);
  if (pod === undefined) throw new Error(`${name} runs without a launcher pod`);
  await until(`${name} beating`, () => stack.consoleOf(pod).includes('beat 1'));
  return { pod, console: stack.consoleOf(pod) };
}

test('a VM with a data disk: what its guest writes there is there after a restart, and gone with the claim', async () => {
  await createClaim('data');
  await createVm('counter', 'data');
  const first = await running('counter');
  expect(first.console).toContain('disk boot 1\r\n');
  await patchVm('counter', { spec: { runStrategy: 'Halted' } });
  await until('stopped', async () => (await status('counter')) === 'Stopped' && (await vmi('counter')) === undefined);
  await patchVm('counter', { spec: { runStrategy: 'Always' } });
  const second = await running('counter');
  expect(second.pod.metadata.uid).not.toBe(first.pod.metadata.uid);
  expect(second.console).toContain('disk boot 2\r\n');

  const volume = (await claim('data'))?.spec.volumeName ?? '';
  const folder = join(stack.dataFolder, 'volumes', volume);
  expect(existsSync(folder)).toBe(true);
  await stack.request('DELETE', `${core}/persistentvolumeclaims/data`);
  // Kubernetes keeps a claim while a pod has it.
  expect((await claim('data'))?.metadata.deletionTimestamp).toBeDefined();
  await stack.request('DELETE', `${kubevirt}/virtualmachines/counter`);
  await until('the claim gone', async () => (await claim('data')) === undefined);
  await until(
    'the volume gone',
    async () => (await get<PersistentVolume>(`/api/v1/persistentvolumes/${volume}`)) === undefined,
  );
  expect(existsSync(folder)).toBe(false);
});

test.each(['virtualmachineinstances', 'virtualmachines'])(
  'a running guest gets a disk and loses it again, by its %s',
  async (plural) => {
    const name = plural === 'virtualmachines' ? 'host' : 'alone';
    const extra = `extra-${name}`;
    await createClaim(extra);
    await (plural === 'virtualmachines' ? createVm(name) : createInstance(name));
    const { pod } = await running(name);
    await changeDisks(plural, name, ({ domain, volumes }) => {
      domain.devices.disks.push({ name: 'extra', disk: { bus: 'scsi' } });
      volumes.push({ name: 'extra', persistentVolumeClaim: { claimName: extra, hotpluggable: true } });
    });
    await until('ready', async () => (await volumeStatus(name, 'extra'))?.phase === 'Ready');
    expect((await volumeStatus(name, 'extra'))?.target).toBe('sda');
    expect(await pods('hotplug-disk')).toHaveLength(1);
    const disk = join(stack.dataFolder, 'volumes', (await claim(extra))?.spec.volumeName ?? '', 'disk.img');
    expect(await disksOfGuest(name)).toContain(disk);

    await changeDisks(plural, name, ({ domain, volumes }) => {
      domain.devices.disks.pop();
      volumes.pop();
    });
    await until('its entry gone', async () => (await volumeStatus(name, 'extra')) === undefined);
    await until('the attachment pod gone', async () => (await pods('hotplug-disk')).length === 0);
    expect(await disksOfGuest(name)).not.toContain(disk);
    // It is the same guest, and noticed nothing but the disk.
    expect((await launcherOf(name))?.metadata.uid).toBe(pod.metadata.uid);
    expect(stack.consoleOf(pod).split('guest up')).toHaveLength(2);
    expect(existsSync(disk)).toBe(true);
  },
);

test('a disk that was plugged in is there again after a restart of its VM', async () => {
  await createClaim('stays');
  await createVm('restarts');
  const { pod } = await running('restarts');
  await changeDisks('virtualmachines', 'restarts', ({ domain, volumes }) => {
    domain.devices.disks.push({ name: 'extra', disk: { bus: 'virtio' } });
    volumes.push({ name: 'extra', persistentVolumeClaim: { claimName: 'stays', hotpluggable: true } });
  });
  const ready = () => until('ready', async () => (await volumeStatus('restarts', 'extra'))?.phase === 'Ready');
  await ready();
  await patchVm('restarts', { spec: { runStrategy: 'Halted' } });
  await until('stopped', async () => (await vmi('restarts')) === undefined);
  await until('no pods', async () => (await pods('hotplug-disk')).length === 0);
  await patchVm('restarts', { spec: { runStrategy: 'Always' } });
  expect((await running('restarts')).pod.metadata.uid).not.toBe(pod.metadata.uid);
  await ready();
  const disk = join(stack.dataFolder, 'volumes', (await claim('stays'))?.spec.volumeName ?? '', 'disk.img');
  expect(await disksOfGuest('restarts')).toContain(disk);
});

test('claims that cannot be had: events say why, a VM with one waits, and starts once it can be had', async () => {
  const shared = { storageClassName: storageClassNames.immediate, accessModes: ['ReadWriteMany'] };
  await createClaim('shared', '1Mi', shared);
  await until('refused', async () => (await messages('shared', 'ProvisioningFailed')).includes('ReadWriteMany'));
  await createClaim('huge', '100Pi');
  await createVm('waits', 'huge');
  await until('no room', async () => (await messages('huge', 'ProvisioningFailed')).includes('are free on this node'));
  await until('waiting', async () => (await vmi('waits'))?.status?.phase === 'Scheduling');
  await createVm('sound');
  await running('sound');
  await createClaim('small', '1Mi', { storageClassName: storageClassNames.immediate });
  await until('bound at once', async () => (await claim('small'))?.status?.phase === 'Bound');
  const growth = { spec: { resources: { requests: { storage: '2Mi' } } } };
  await expect(
    stack.request('PATCH', `${core}/persistentvolumeclaims/small`, growth, mergePatch),
  ).rejects.toMatchObject({ status: 403 });

  await patchVm('waits', { spec: { runStrategy: 'Halted' } });
  await until('stopped', async () => (await vmi('waits')) === undefined);
  await stack.request('DELETE', `${core}/persistentvolumeclaims/huge`);
  await until('the claim gone', async () => (await claim('huge')) === undefined);
  await createClaim('huge');
  await patchVm('waits', { spec: { runStrategy: 'Always' } });
  expect((await running('waits')).console).toContain('disk boot 1\r\n');
});

/** Messages of a claim's events of that reason. */
async function messages(name: string, reason: string): Promise<string> {
  const list = await get<{ items: { reason: string; message: string; involvedObject: { name: string } }[] }>(
    `${core}/events`,
  );
  const found = list?.items.filter((event) => event.involvedObject.name === name && event.reason === reason);
  return found?.map(({ message }) => message).join('\n') ?? '';
}

/** What the hypervisor says of a guest's disks. */
async function disksOfGuest(name: string): Promise<string> {
  if (stack.agent.hypervisor === 'simulated') {
    return readFileSync(join(stack.dataFolder, 'simulated', `${NAMESPACE}_${name}.json`), 'utf8');
  }
  const { mode, socket } = prepareDaemonFolder(daemonMode(), join(stack.dataFolder, 'libvirt'));
  return new Virsh(mode, socket).call('domblklist', `${NAMESPACE}_${name}`);
}
