import { describe, expect, test } from 'vitest';
import { podProblem } from '../../../../events/relay/allow-list/created-pod.ts';
import type { Pod, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { renderLauncherPod } from '../../../../functions/launcher-pod/render-launcher-pod.ts';
import { directoryOf } from '../../../../functions/launcher-pod/volumes/host-disk.ts';
import { clusterConfiguration, vmi } from '../../../functions/launcher-pod/fixture.ts';

const configuration = clusterConfiguration(
  { network: { binding: { mesh: { sidecarImage: 'registry.example/mesh' } } } },
  { launcherImage: 'registry.example/launcher', sidecarShimImage: 'registry.example/shim' },
);

/** A VMI with everything that brings an image, a path, a secret or an account into its pod. */
const whole = vmi({
  annotations: { 'hooks.kubevirt.io/hookSidecars': '[{"image":"registry.example/hook"},{"args":["x"]}]' },
  spec: {
    networks: [{ name: 'n', pod: {} }],
    accessCredentials: [{ sshPublicKey: { source: { secret: { secretName: 'keys' } }, propagationMethod: {} } }],
    volumes: [
      { name: 'disk', containerDisk: { image: 'registry.example/disk' } },
      { name: 'host', hostDisk: { path: '/data/./disks//host.img', type: 'DiskOrCreate' } },
      { name: 'ci', cloudInitNoCloud: { secretRef: { name: 'user-data' } } },
      { name: 'secret', secret: { secretName: 'files' } },
      { name: 'account', serviceAccount: { serviceAccountName: 'robot' } },
    ],
  },
  domain: { firmware: { kernelBoot: { container: { image: 'registry.example/kernel', kernelPath: '/k' } } } },
  devices: {
    interfaces: [{ name: 'n', binding: { name: 'mesh' } }],
    disks: ['disk', 'host', 'ci', 'secret'].map((name) => ({ name })),
    filesystems: [{ name: 'account', virtiofs: {} }],
  },
});

function podOf(instance: VirtualMachineInstance, gates: string[] = []): Pod {
  const { kubevirt } = configuration;
  const rendered = renderLauncherPod({
    vmi: instance,
    configuration: { ...configuration, kubevirt: { ...kubevirt, developerConfiguration: { featureGates: gates } } },
    related: { claims: [], quotas: [], networkAttachments: [], sidecarConfigMaps: [] },
    variant: 'launch',
    ordinal: 0,
  });
  if (rendered.type === 'error') throw new Error(rendered.message);
  return { ...rendered.pod, metadata: { ...rendered.pod.metadata, name: 'p' } } as Pod;
}

const pod = podOf(whole);
const problem = (changed: Partial<Pod['spec']>, owner: VirtualMachineInstance | undefined = whole) =>
  podProblem({ ...pod, spec: { ...pod.spec, ...changed } }, owner, configuration);
const [compute] = pod.spec.containers;
const container = (changed: object) => ({ containers: [{ ...compute, ...changed } as typeof compute & object] });
const volume = (source: object) => ({ volumes: [{ name: 'x', ...source }] });

describe('a launcher pod as it is rendered', () => {
  test.each([[[]], [['ImageVolume']]])('is allowed, with gates %j', (gates) => {
    const rendered = podOf(whole, gates);
    const text = JSON.stringify(rendered);
    for (const part of ['disk', 'kernel', 'hook', 'shim', 'mesh']) expect(text).toContain(`registry.example/${part}`);
    for (const part of ['"/data/disks"', '"keys"', '"user-data"', '"files"', '"robot"']) expect(text).toContain(part);
    expect(podProblem(rendered, whole, configuration)).toBeUndefined();
  });

  test('is not, for a VMI that does not ask for what is in it', () => {
    expect(podProblem(pod, vmi(), configuration)).toBeDefined();
    expect(podProblem(podOf(vmi()), undefined, configuration)).toBeUndefined();
  });

  test.each([
    '/a/b.img',
    'b.img',
    'a/b.img',
    '/b.img',
    '//a//b/../c.img',
    './x',
    '../x/y',
    'a/../../b/c',
    '/..//a/./b',
    '',
    '/',
    '/a/b/',
  ])('its host path is the directory of the disk: %j', (path) => {
    const instance = vmi({ spec: { volumes: [{ name: 'h', hostDisk: { path, type: 'Disk' } }] } });
    const spec = { ...podOf(vmi()).spec, volumes: [{ name: 'h', hostPath: { path: directoryOf(path) } }] };
    expect(podProblem({ ...pod, spec }, instance, configuration)).toBeUndefined();
  });
});

describe('refused', () => {
  test.each<[string, Partial<Pod['spec']>]>([
    ['namespaces of the host', { hostNetwork: true }],
    ['namespaces of the host', { hostPID: true }],
    ['namespaces of the host', { hostIPC: true }],
    ['service account', { serviceAccountName: 'admin' }],
    ['service account', { serviceAccount: 'admin' }],
    ['ephemeral', { ephemeralContainers: [{ name: 'e', image: 'registry.example/launcher' }] }],
    ['privileged', container({ securityContext: { privileged: true } })],
    ['privileged', { initContainers: container({ securityContext: { privileged: true } }).containers }],
    ['capabilities', container({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } })],
    ['image', container({ image: 'registry.example/other' })],
    ['image', { initContainers: container({ image: 'registry.example/other' }).containers }],
    ['image', volume({ image: { reference: 'registry.example/other' } })],
    ['ports', container({ ports: [{ containerPort: 1, hostPort: 1 }] })],
    ['environment', container({ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'k' } } }] })],
    ['environment', container({ envFrom: [{ secretRef: { name: 'keys' } }] })],
    ['path', volume({ hostPath: { path: '/' } })],
    ['path', volume({ hostPath: { path: '/data/disks/..' } })],
    ['path', volume({ hostPath: { path: '/data' } })],
    ['secret', volume({ secret: { secretName: 'other' } })],
    ['projected', volume({ projected: { sources: [{ secret: { name: 'keys' } }] } })],
    ['nfs', volume({ nfs: { server: 's', path: '/' } })],
  ])('%s: %j', (word, changed) => {
    expect(problem(changed)).toContain(word);
  });

  test('what the VMI names is not allowed for another one', () => {
    expect(problem({ serviceAccountName: 'robot' })).toBeUndefined();
    expect(problem({ containers: [], initContainers: [], volumes: [], serviceAccountName: 'robot' }, vmi())).toContain(
      'service account',
    );
  });

  test('an annotation that is no list names no image', () => {
    for (const text of ['{', '{}', 'null', '[null, 1, {"image": 2}]']) {
      const instance = vmi({ annotations: { 'hooks.kubevirt.io/hookSidecars': text } });
      expect(podProblem({ ...pod, spec: container({ image: '2' }) }, instance, configuration)).toContain('image');
    }
  });
});
