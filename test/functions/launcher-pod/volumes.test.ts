import { describe, expect, test } from 'vitest';
import type { PersistentVolumeClaim } from '../../../functions/core/objects.ts';
import { directoryOf } from '../../../functions/launcher-pod/volumes/host-disk.ts';
import { findBackendStorageClaim } from '../../../functions/rules/backend-storage/find-claim.ts';
import { claim, gates, named, names, problem, render, type Surroundings, vmi, withoutGates } from './fixture.ts';

/** What a VMI adds to the volumes of a VMI without any. */
function added(parts: Parameters<typeof vmi>[0], around?: Surroundings) {
  const plain = render(vmi(), around).spec;
  const { spec } = render(vmi(parts), around);
  const mine = spec.containers[0];
  const without = <T extends { name: string }>(
    list: readonly T[] | undefined,
    base: readonly { name: string }[] = [],
  ) => (list ?? []).filter((entry) => !names(base).includes(entry.name));
  return {
    volumes: without(spec.volumes, plain.volumes),
    mounts: without(mine?.volumeMounts, plain.containers[0]?.volumeMounts),
    devices: mine?.volumeDevices ?? [],
  };
}
const withVolumes = (...volumes: object[]) => ({ spec: { volumes } });

describe('claims', () => {
  const pvc = (name: string, claimName: string, rest: object = {}) => ({
    name,
    persistentVolumeClaim: { claimName, ...rest },
  });

  test('pod case 84: file systems are mounted, block devices passed', () => {
    const related = { claims: [claim('c')] };
    expect(added(withVolumes(pvc('d', 'c', { readOnly: true })), { related })).toEqual({
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c', readOnly: true } }],
      mounts: [{ name: 'd', mountPath: '/var/run/kubevirt-private/vmi-disks/d' }],
      devices: [],
    });
    const block = { claims: [claim('c', { volumeMode: 'Block' })] };
    expect(added(withVolumes(pvc('d', 'c')), { related: block })).toEqual({
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }],
      mounts: [],
      devices: [{ name: 'd', devicePath: '/dev/d' }],
    });
  });

  test('pod case 85: one claim under two names', () => {
    const related = { claims: [claim('c', { volumeMode: 'Block' })] };
    const ephemeral = { name: 'e', ephemeral: { persistentVolumeClaim: { claimName: 'c' } } };
    const { volumes, devices } = added(withVolumes(pvc('d', 'c'), ephemeral), { related });
    expect(names(volumes)).toEqual(['d', 'e']);
    expect(devices.map((d) => d.devicePath)).toEqual(['/dev/d', '/dev/e']);
  });

  test('pod case 86: claims that are not there', () => {
    const missing = { type: 'pvc-not-found', claimName: 'c' };
    expect(problem(vmi(withVolumes(pvc('d', 'c'))))).toEqual(missing);
    const ephemeral = { name: 'e', ephemeral: { persistentVolumeClaim: { claimName: 'c' } } };
    expect(problem(vmi(withVolumes(ephemeral)))).toEqual(missing);
    expect(problem(vmi(withVolumes({ name: 'd', dataVolume: { name: 'c' } })))).toEqual(missing);
    const elsewhere = { related: { claims: [claim('c', {}, { namespace: 'elsewhere' })] } };
    expect(problem(vmi(withVolumes(pvc('d', 'c'))), elsewhere)).toEqual(missing);
    expect(problem(vmi(withVolumes(pvc('d', 'c', { hotpluggable: true }))))).toBeUndefined();
  });

  test('pod case 87: hotplug volumes are not the launcher pod’s', () => {
    const status = { volumeStatus: [{ name: 'd', hotplugVolume: {}, target: '' }] };
    const related = { claims: [claim('c')] };
    expect(added({ ...withVolumes(pvc('d', 'c')), status }, { related }).volumes).toEqual([]);
    expect(added(withVolumes(pvc('d', 'c', { hotpluggable: true })), { related }).volumes).toEqual([]);
  });
});

test('pod case 88: hotplug turned off', () => {
  const { spec } = render(vmi({ devices: { disableHotplug: true } }));
  expect(names(spec.volumes)).not.toContain('hotplug-disks');
  expect(names(spec.containers[0]?.volumeMounts)).not.toContain('hotplug-disks');
});

test('pod case 89: a secret as a disk, or as a file system', () => {
  const secret = { name: 's', secret: { secretName: 'sec' } };
  const mount = { name: 's', mountPath: '/var/run/kubevirt-private/secret/s' };
  const disk = added({ ...withVolumes(secret), devices: { disks: [{ name: 's', disk: {} }] } });
  expect(disk.volumes).toEqual([secret]);
  expect(disk.mounts).toEqual([{ ...mount, readOnly: true }]);
  const instance = vmi({ ...withVolumes(secret), devices: { filesystems: [{ name: 's', virtiofs: {} }] } });
  const { spec } = render(instance);
  expect(spec.volumes).toContainEqual(secret);
  expect(names(spec.containers[0]?.volumeMounts)).not.toContain('s');
  expect(named(spec.containers, 'virtiofs-s').volumeMounts).toContainEqual(mount);
});

test('pod case 90: cloud-init', () => {
  const cloudInitNoCloud = { secretRef: { name: 'a' }, networkDataSecretRef: { name: 'b' } };
  const { volumes, mounts } = added(withVolumes({ name: 'n', cloudInitNoCloud }));
  expect(volumes).toEqual([
    { name: 'n-udata', secret: { secretName: 'a' } },
    { name: 'n-ndata', secret: { secretName: 'b' } },
  ]);
  expect(mounts).toEqual(
    [
      ['n-udata', 'userdata'],
      ['n-udata', 'userData'],
      ['n-ndata', 'networkdata'],
      ['n-ndata', 'networkData'],
    ].map(([name, key]) => ({
      name,
      mountPath: `/var/run/kubevirt-private/secret/n/${key}`,
      subPath: key,
      readOnly: true,
    })),
  );
  const inline = { name: 'n', cloudInitConfigDrive: { userData: 'sealed:x' } };
  expect(added(withVolumes(inline))).toEqual({ volumes: [], mounts: [], devices: [] });
});

test('pod case 91: sysprep', () => {
  const sysprep = { secret: { name: 'a' }, configMap: { name: 'b' } };
  expect(added(withVolumes({ name: 's', sysprep }))).toEqual({
    volumes: [{ name: 's', secret: { secretName: 'a' } }],
    mounts: [{ name: 's', mountPath: '/var/run/kubevirt-private/sysprep/s', readOnly: true }],
    devices: [],
  });
  expect(problem(vmi(withVolumes({ name: 's', sysprep: {} })))).toEqual({
    type: 'sysprep-without-source',
    volume: 's',
  });
});

test('pod cases 92, 129: host disks', () => {
  const hostDisk = { path: '/data/x/disk.img', type: 'DiskOrCreate' };
  expect(added(withVolumes({ name: 'h', hostDisk })).volumes).toEqual([
    { name: 'h', hostPath: { path: '/data/x', type: 'DirectoryOrCreate' } },
  ]);
  const odd = { name: 'h', hostDisk: { path: '/data/disk.img', type: 'constructor' } };
  expect(added(withVolumes(odd)).volumes).toEqual([{ name: 'h', hostPath: { path: '/data', type: '' } }]);
  expect(['/disk.img', '/a//b/../c.img', 'c.img', 'a/./c.img', '../c.img', '/../c.img'].map(directoryOf)).toEqual([
    '/',
    '/a',
    '.',
    'a',
    '..',
    '/',
  ]);
});

test('pod case 94: access credentials are not deduplicated', () => {
  const source = { secret: { secretName: 'keys' } };
  const accessCredentials = [{ sshPublicKey: { source } }, { userPassword: { source } }, { sshPublicKey: {} }];
  const { volumes, mounts } = added({ spec: { accessCredentials } });
  expect(volumes).toEqual(Array(2).fill({ name: 'keys-access-cred', secret: { secretName: 'keys' } }));
  expect(mounts[0]?.mountPath).toBe('/var/run/kubevirt-private/secret/keys-access-cred');
});

describe('backend storage', () => {
  const tpm = { devices: { tpm: { persistent: true } } };
  const state = claim('state', {}, { labels: { 'persistent-state-for': 'v' } });
  const related = { backendStorageClaim: state };
  const mountsOf = (parts: Parameters<typeof vmi>[0]) =>
    added(parts, { related }).mounts.map((m) => [m.name, m.mountPath, m.subPath]);

  test('pod case 95: a persistent TPM', () => {
    expect(names(added(tpm, { related }).volumes)).toEqual(['vm-state', 'private-libvirt', 'private-libvirt-qemu']);
    const meta = ['vm-state', '/run/kubevirt-private/backend-storage-meta', 'meta'];
    expect(mountsOf(tpm)).toEqual([
      meta,
      ['private-libvirt', '/var/run/kubevirt-private/libvirt', undefined],
      ['private-libvirt-qemu', '/var/run/kubevirt-private/libvirt/qemu', undefined],
      ['vm-state', '/var/run/kubevirt-private/libvirt/qemu/swtpm', 'swtpm'],
      ['vm-state', '/var/run/kubevirt-private/var/lib/swtpm-localca', 'swtpm-localca'],
    ]);
    expect(mountsOf({ ...tpm, status: { runtimeUser: 0 } })).toEqual([
      meta,
      ['vm-state', '/var/lib/libvirt/swtpm', 'swtpm'],
      ['vm-state', '/var/lib/swtpm-localca', 'swtpm-localca'],
    ]);
  });

  test('pod case 96: which claim holds the state', () => {
    const found = (...claims: PersistentVolumeClaim[]) => findBackendStorageClaim(vmi(tpm), claims)?.metadata.name;
    const legacy = claim('persistent-state-for-v');
    expect(found(legacy)).toBe('persistent-state-for-v');
    expect(found(legacy, state)).toBe('state');
    expect(found(claim('persistent-state-for-v', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }))).toBeUndefined();
    expect(found(claim('persistent-state-for-v', {}, { namespace: 'elsewhere' }))).toBeUndefined();
    expect(problem(vmi(tpm))).toEqual({ type: 'backend-storage-not-found' });
  });

  test('pod case 97: changed block tracking', () => {
    const tracking = (state: string) => ({ status: { changedBlockTracking: { state } } });
    expect(mountsOf(tracking('Initializing')).at(-1)).toEqual([
      'vm-state',
      '/var/run/kubevirt-private/libvirt/qemu/cbt',
      'cbt',
    ]);
    expect(mountsOf(tracking('Disabled'))).toEqual([]);
    const efi = { domain: { firmware: { bootloader: { efi: { persistent: true } } } }, status: { runtimeUser: 0 } };
    expect(mountsOf(efi).at(-1)).toEqual(['vm-state', '/var/lib/libvirt/qemu/nvram', 'nvram']);
  });
});

test('pod case 98: what a network’s devices are', () => {
  const binding = { device: { downwardAPI: 'device-info' }, plain: {} };
  const volumesWith = (...interfaces: object[]) =>
    added({ devices: { interfaces } }, { configuration: { network: { binding } } });
  const info = volumesWith({ name: 'a', sriov: {} }, { name: 'b', binding: { name: 'device' } });
  expect(names(info.volumes)).toEqual(['network-info-annotation']);
  expect(info.mounts).toEqual([{ name: 'network-info-annotation', mountPath: '/etc/podinfo' }]);
  expect(volumesWith({ name: 'b', binding: { name: 'device' } }).volumes).toHaveLength(1);
  expect(volumesWith({ name: 'b', binding: { name: 'plain' } }).volumes).toEqual([]);
});

test('pod case 99: virtiofs', () => {
  const filesystems = ['p', 's', 't'].map((name) => ({ name, virtiofs: {} }));
  const volumes = [
    { name: 'p', persistentVolumeClaim: { claimName: 'p' } },
    { name: 's', serviceAccount: { serviceAccountName: 'sa' } },
    { name: 't', containerPath: { path: '/x' } },
  ];
  const { spec } = render(vmi({ spec: { volumes }, devices: { filesystems } }), { related: { claims: [claim('p')] } });
  expect(names(spec.containers)).toEqual(['compute', 'virtiofs-p', 'virtiofs-s']);
  expect(named(spec.containers, 'virtiofs-p').args).toContain('--shared-dir=/p');
  const account = named(spec.containers, 'virtiofs-s');
  expect(account.args).toEqual([
    '--socket-path=/var/run/kubevirt/virtiofs-containers/s.sock',
    '--shared-dir=/var/run/secrets/kubernetes.io/serviceaccount/',
    '--sandbox=none',
    '--cache=auto',
    '--migration-on-error=guest-error',
    '--migration-mode=find-paths',
    '--translate-uid=host:107:0:1',
  ]);
  expect(names(account.volumeMounts)).toEqual(['virtiofs-containers']);
  expect(names(spec.containers[0]?.volumeMounts)).toContain('p');
});

describe('container disks as image volumes', () => {
  const third = { name: 'c', containerDisk: { image: 'reg.example/disk@sha256:abc' } };
  const volumes = [{ name: 'a', emptyDisk: { capacity: '1Gi' } }, { name: 'b', emptyDisk: { capacity: '1Gi' } }, third];

  test('pod cases 100, 101: index of the volume, digest container even where pinned', () => {
    const { spec } = render(vmi({ spec: { volumes } }));
    expect(spec.containers[0]?.volumeMounts).toContainEqual({
      name: 'c',
      mountPath: '/var/run/kubevirt-image-volume/disk_2',
      readOnly: true,
    });
    expect(names(spec.initContainers)).toEqual(['guest-console-log', 'volumec']);
    expect(names(spec.volumes)).toContain('launcher-volume');
  });

  test.each([
    ['true', false],
    ['True', true],
  ])('pod case 100: skip annotation %j', (value, resolved) => {
    const annotations = { 'kubevirt.io/image-volume-skip-digest-resolution': value };
    const { spec } = render(vmi({ spec: { volumes }, annotations }));
    expect(names(spec.initContainers).includes('volumec')).toBe(resolved);
    expect(names(spec.volumes).includes('launcher-volume')).toBe(resolved);
    expect(names(spec.volumes)).toContain('c');
  });

  test('plugins get a volume of their own', () => {
    expect(names(added({}, gates('Plugins')).volumes)).toEqual([]);
    expect(names(render(vmi(), gates('Plugins')).spec.volumes)).toContain('kubevirt-plugin-sockets');
    expect(names(render(vmi(), withoutGates('ImageVolume')).spec.volumes)).toContain('container-disks');
  });
});
