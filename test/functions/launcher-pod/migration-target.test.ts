import { describe, expect, test } from 'vitest';
import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import type { RenderedPod } from '../../../functions/launcher-pod/input.ts';
import { findTargetBackendStorageClaim } from '../../../functions/launcher-pod/migration-target/backend-storage-claim.ts';
import { finishMigrationTarget } from '../../../functions/launcher-pod/migration-target/finish-migration-target.ts';
import type { MigrationSource } from '../../../functions/launcher-pod/migration-target/migration-source.ts';
import { renderMigrationTarget } from '../../../functions/launcher-pod/migration-target/render-migration-target.ts';
import type { SourcePod } from '../../../functions/launcher-pod/migration-target/source-pod.ts';
import { standInVmi } from '../../../functions/launcher-pod/migration-target/stand-in-vmi.ts';
import { claim, clusterConfiguration, names, render, type Surroundings, UID, vmi, withoutGates } from './fixture.ts';

const ABC = 'sha256:abc';

interface SourceParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly volumes?: object[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly containerStatuses?: object[];
  readonly initContainerStatuses?: object[];
}

function sourcePod({ annotations, volumes, nodeSelector, ...statuses }: SourceParts = {}): Pod {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'source', namespace: 'ns', annotations },
    spec: { containers: [], volumes, nodeSelector },
    status: statuses,
  };
  return pod as unknown as Pod;
}

function target(instance: VirtualMachineInstance, source: SourcePod, around: Surroundings = {}) {
  return renderMigrationTarget({
    vmi: instance,
    configuration: clusterConfiguration(around.configuration, around.process),
    related: { claims: [], quotas: [], networkAttachments: [], sidecarConfigMaps: [], ...around.related },
    ordinal: 0,
    sourcePod: source,
  });
}

function targetPod(instance: VirtualMachineInstance, source: SourcePod, around: Surroundings = {}): RenderedPod {
  const result = target(instance, source, around);
  if (result.type === 'error') throw new Error(result.message);
  return result.pod;
}

const disks = (...images: string[]) =>
  vmi({ spec: { volumes: images.map((image, i) => ({ name: 'abc'.charAt(i), containerDisk: { image } })) } });
const status = (name: string, imageID: string) => ({ name, imageID });
const images = (pod: RenderedPod) =>
  (pod.spec.volumes ?? []).flatMap((v) => (v.image === undefined ? [] : [`${v.name} ${v.image.reference}`]));

describe('images of a migration target', () => {
  test('pod case 113: statuses of the source pin the images, with gate ImageVolume off', () => {
    const instance = disks('reg:5000/i:v1');
    const source = sourcePod({ containerStatuses: [status('compute', ''), status('volumea', `docker://${ABC}`)] });
    const { spec } = targetPod(instance, source, withoutGates('ImageVolume'));
    expect(spec.containers.find((c) => c.name === 'volumea')?.image).toBe(`reg:5000/i@${ABC}`);
    expect(spec.initContainers?.find((c) => c.name === 'volumea-init')?.image).toBe(`reg:5000/i@${ABC}`);

    const rubbish = sourcePod({ containerStatuses: [status('volumea', 'rubbish')] });
    expect(target(instance, rubbish, withoutGates('ImageVolume'))).toMatchObject({
      type: 'error',
      problem: { type: 'image-digest-unknown', container: 'volumea', imageId: 'rubbish' },
      vmi: instance,
    });
  });

  test('pod case 113: so do statuses of its init containers, with gate ImageVolume on', () => {
    const source = sourcePod({ initContainerStatuses: [status('volumea', `reg/i@${ABC}`)] });
    expect(images(targetPod(disks('reg:5000/i'), source))).toEqual([`a reg:5000/i@${ABC}`]);
    const both = sourcePod({ ...source.status, volumes: [{ name: 'a', image: { reference: 'i@sha256:old' } }] });
    expect(images(targetPod(disks('i:v2'), both))).toEqual([`a i@${ABC}`]);
  });

  test('pod case 114: a source that is pinned already', () => {
    const source = sourcePod({ volumes: [{ name: 'a', image: { reference: `i@${ABC}` } }] });
    const pod = targetPod(disks('i:v1'), source);
    expect(images(pod)).toEqual([`a i@${ABC}`]);
    expect(names(pod.spec.initContainers)).toEqual(['guest-console-log']);
  });

  test('pod case 115: a source that was not to find out digests', () => {
    const instance = disks('i:v1');
    instance.metadata.annotations = { 'kubevirt.io/image-volume-skip-digest-resolution': 'true' };
    const pod = targetPod(instance, sourcePod({ volumes: [{ name: 'a', image: { reference: 'i:v1' } }] }));
    expect(images(pod)).toEqual(['a i:v1']);
    expect(names(pod.spec.initContainers)).toEqual(['guest-console-log']);
  });

  test('pod case 116: what is still unknown is found out on the target', () => {
    const source = sourcePod({ initContainerStatuses: [status('volumea', ABC), status('volumeb', ABC)] });
    const pod = targetPod(disks('i', 'j', 'k'), source);
    expect(images(pod)).toEqual([`a i@${ABC}`, `b j@${ABC}`, 'c k', 'launcher-volume virt-launcher']);
    expect(names(pod.spec.initContainers)).toEqual(['guest-console-log', 'volumec']);
  });

  test('the kernel-boot image is pinned like a disk; a stand-in source pins nothing', () => {
    const kernelBoot = { container: { image: 'kernel:1' } };
    const instance = vmi({ domain: { devices: {}, firmware: { kernelBoot } } });
    const source = sourcePod({ initContainerStatuses: [status('volumekernel-boot-volume', ABC)] });
    expect(images(targetPod(instance, source))).toEqual([`kernel-boot-volume kernel@${ABC}`]);
    expect(targetPod(instance, render(instance)).spec.volumes).toEqual(render(instance).spec.volumes);
  });
});

describe('the claim with the state of a migration target', () => {
  const labelled = claim('labelled', {}, { labels: { 'kubevirt.io/migrationName': 'm' } });
  const recorded = claim('recorded');
  const migration = (targetPersistentStatePVCName?: string) => ({
    metadata: { name: 'm', namespace: 'ns' },
    spec: {},
    status: { migrationState: targetPersistentStatePVCName === undefined ? {} : { targetPersistentStatePVCName } },
  });

  test('pod case 117: the recorded one, or none; without a record the labelled one', () => {
    expect(findTargetBackendStorageClaim(migration('recorded'), [labelled, recorded])).toBe(recorded);
    expect(findTargetBackendStorageClaim(migration('recorded'), [labelled])).toBeUndefined();
    expect(findTargetBackendStorageClaim(migration(''), [recorded, labelled])).toBe(labelled);
    expect(findTargetBackendStorageClaim(migration(), [recorded])).toBeUndefined();
  });

  test('pod case 117: without it the target is not rendered', () => {
    const instance = vmi({ devices: { tpm: { persistent: true } } });
    expect(target(instance, sourcePod())).toMatchObject({ problem: { type: 'backend-storage-not-found' } });
    const related = { backendStorageClaim: labelled };
    const claimName = { persistentVolumeClaim: { claimName: 'labelled' } };
    expect(targetPod(instance, sourcePod(), { related }).spec.volumes).toContainEqual({
      name: 'vm-state',
      ...claimName,
    });
  });
});

describe('interface names of a migration target', () => {
  const instance = vmi({
    spec: {
      networks: [
        { name: 'default', pod: {} },
        { name: 'blue', multus: { networkName: 'n/blue' } },
        { name: 'red', multus: { networkName: 'red' } },
      ],
    },
    devices: {
      interfaces: [
        { name: 'red', bridge: {}, macAddress: '02:00:00:00:00:01', state: 'absent' },
        { name: 'default', masquerade: {} },
        { name: 'blue', bridge: {} },
      ],
    },
  });
  const numbered = sourcePod({
    annotations: { 'k8s.v1.cni.cncf.io/network-status': '[{"interface":"eth0"},{"interface":"net1"}]' },
  });
  const networks = (source: SourcePod, around?: Surroundings) =>
    targetPod(instance, source, around).metadata.annotations?.['k8s.v1.cni.cncf.io/networks'];
  const off = withoutGates('PodSecondaryInterfaceNamingUpgrade');
  const hashed = render(instance).metadata.annotations?.['k8s.v1.cni.cncf.io/networks'];

  test('pod case 118: numbers stay numbers while they may not change', () => {
    expect(networks(numbered, off)).toBe(
      '[{"name":"blue","namespace":"n","interface":"net1"},' +
        '{"name":"red","namespace":"ns","mac":"02:00:00:00:00:01","interface":"net2"}]',
    );
    expect(networks(numbered)).toBe(hashed);
    expect(networks(sourcePod(), off)).toBe(hashed);
    const unreadable = sourcePod({ annotations: { 'k8s.v1.cni.cncf.io/network-status': '{' } });
    expect(networks(unreadable, off)).toBe(hashed);
    const other = sourcePod({
      annotations: { 'k8s.v1.cni.cncf.io/network-status': '[{"interface":"pod16477688c0e"},{"interface":"net1x"},7]' },
    });
    expect(networks(other, off)).toBe(hashed);
  });
});

describe('what the migration controller changes (launcher-pod.md 16.4)', () => {
  const node = (labels: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1', labels },
  });
  const sourceState = {
    node: 'far',
    selinuxContext: 'u:r:t:s0:c3,c4',
    nodeSelectors: {
      'host-model-cpu.node.kubevirt.io/Skylake': 'true',
      'host-model-required-features.node.kubevirt.io/vmx': 'true',
      'cpu-vendor.node.kubevirt.io/Intel': 'true',
    },
  };
  const local = (nodeLabels: Record<string, string> = {}, parts: SourceParts = {}): MigrationSource => ({
    type: 'local',
    pod: sourcePod(parts),
    node: node(nodeLabels),
  });

  interface Case {
    readonly parts?: Parameters<typeof vmi>[0];
    readonly source?: MigrationSource;
    readonly addedNodeSelector?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly configuration?: object;
  }

  function finished({ parts = {}, source = local(), configuration, ...given }: Case = {}) {
    const instance = vmi({ ...parts, status: { selinuxContext: 'none', ...parts.status } });
    const around = { configuration };
    return finishMigrationTarget(targetPod(instance, sourcePod(), around), {
      vmi: instance,
      configuration: clusterConfiguration(configuration),
      migration: {
        metadata: { name: 'm', namespace: 'ns', uid: 'm-uid', annotations: given.annotations },
        spec: given.addedNodeSelector === undefined ? {} : { addedNodeSelector: given.addedNodeSelector },
      },
      source,
    });
  }

  function pod(given?: Case): RenderedPod {
    const result = finished(given);
    if (result.type === 'error') throw new Error(result.message);
    return result.pod;
  }

  const selector = (given?: Case) => pod(given).spec.nodeSelector;
  const schedulable = { 'kubevirt.io/schedulable': 'true' };
  const hostModel = { domain: { devices: {}, cpu: { model: 'host-model' } } };

  test('the input stays as it is', () => {
    const rendered = targetPod(vmi(), sourcePod());
    const before = structuredClone(rendered);
    const input = { vmi: vmi({ status: { selinuxContext: 'none' } }), configuration: clusterConfiguration() };
    const migration = { metadata: { name: 'm' }, spec: {} };
    expect(finishMigrationTarget(rendered, { ...input, migration, source: local() }).type).toBe('rendered');
    expect(rendered).toEqual(before);
  });

  test('1: away from the pods of the same VMI, or from the node in the other cluster', () => {
    expect(pod().spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
      { labelSelector: { matchLabels: { 'kubevirt.io/created-by': UID } }, topologyKey: 'kubernetes.io/hostname' },
    ]);
    const affinity = {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}, {}] } },
    };
    const elsewhere = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['far'] };
    const parts = {
      spec: { affinity },
      domain: { devices: {}, cpu: { model: 'host-passthrough' } },
      status: { migrationState: { sourceState } },
    };
    const moved = pod({ parts, source: { type: 'decentralized' } }).spec.affinity;
    expect(moved?.podAntiAffinity).toBeUndefined();
    expect(moved?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms).toEqual([
      { matchExpressions: [elsewhere] },
      {},
    ]);
  });

  test("2 and 3: the migration's selector yields to the VM's; label and annotation", () => {
    const addedNodeSelector = { 'kubevirt.io/schedulable': 'false', zone: 'a' };
    expect(selector({ addedNodeSelector })).toEqual({ ...schedulable, zone: 'a' });
    expect(pod().metadata.labels?.['kubevirt.io/migrationJobUID']).toBe('m-uid');
    expect(pod().metadata.annotations?.['kubevirt.io/migrationJobName']).toBe('m');
  });

  test('4: host-model guests keep the model of their first node', () => {
    const demanded = { 'cpu-feature.node.kubevirt.io/vmx': 'true', 'cpu-model-migration.node.kubevirt.io/X': 'true' };
    const again = local({}, { nodeSelector: { ...demanded, other: 'x' } });
    expect(selector({ parts: hostModel, source: again })).toEqual({ ...schedulable, ...demanded });

    const first = local({
      'host-model-cpu.node.kubevirt.io/X': 'true',
      'host-model-required-features.node.kubevirt.io/vmx': 'true',
    });
    expect(selector({ parts: hostModel, source: first })).toEqual({ ...schedulable, ...demanded });
    expect(finished({ parts: hostModel })).toMatchObject({ problem: { type: 'host-model-unknown' } });

    const parts = { ...hostModel, status: { migrationState: { sourceState } } };
    expect(selector({ parts, source: { type: 'decentralized' } })).toEqual({
      ...schedulable,
      'cpu-feature.node.kubevirt.io/vmx': 'true',
      'cpu-model-migration.node.kubevirt.io/Skylake': 'true',
      'cpu-vendor.node.kubevirt.io/Intel': 'true',
    });
  });

  test('5: the vendor of the source node, unless one is asked for; the node must be there', () => {
    const source = local({ 'cpu-vendor.node.kubevirt.io/AMD': 'true' });
    expect(selector({ source })).toEqual({ ...schedulable, 'cpu-vendor.node.kubevirt.io/AMD': 'true' });
    const asked = { 'cpu-vendor.node.kubevirt.io/Intel': 'true' };
    const gone: MigrationSource = { type: 'local', pod: sourcePod(), node: undefined };
    expect(selector({ parts: { spec: { nodeSelector: asked } }, source: gone })).toEqual({ ...schedulable, ...asked });
    expect(finished({ source: gone })).toMatchObject({ problem: { type: 'source-node-not-found' } });
  });

  test('6: the SELinux level of the source takes the place of all other options', () => {
    const configuration = { selinuxLauncherType: 'spc_t' };
    const options = (selinuxContext: string, more: object = {}) => {
      const given = { parts: { status: { selinuxContext } }, configuration: { ...configuration, ...more } };
      const result = finished(given);
      return result.type === 'error' ? result.problem : result.pod.spec.securityContext?.seLinuxOptions;
    };
    expect(options('u:r:t:s0:c1,c2')).toEqual({ level: 's0:c1,c2' });
    expect(options('none')).toEqual({ type: 'spc_t' });
    expect(options('u:r:t')).toEqual({ type: 'spc_t' });
    expect(options('u:r')).toEqual({ type: 'bad-selinux-context', context: 'u:r' });
    expect(options('')).toEqual({ type: 'selinux-context-unknown' });
    expect(options('', { migrations: { matchSELinuxLevelOnMigration: false } })).toEqual({ type: 'spc_t' });

    const parts = { status: { selinuxContext: '', migrationState: { sourceState } } };
    const far = pod({ parts, source: { type: 'decentralized' } });
    expect(far.spec.securityContext?.seLinuxOptions).toEqual({ level: 's0:c3,c4' });
  });

  test('7: the image that a test puts in the place of the launcher', () => {
    const annotations = { 'kubevirt.io/func-test-migration-target-image-override': 'other' };
    expect(pod({ annotations }).spec.containers.map((c) => c.image)).toEqual(['other']);
  });

  test('the stand-in for a source in another cluster needs no claim', () => {
    const devices = { tpm: { persistent: true } };
    const instance = vmi({ domain: { devices, firmware: { bootloader: { efi: { persistent: true } } } } });
    const { spec } = render(standInVmi(instance));
    expect(names(spec.volumes)).not.toContain('vm-state');
    expect(instance.spec.domain.devices.tpm).toEqual({ persistent: true });
  });
});
