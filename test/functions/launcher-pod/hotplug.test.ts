import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../functions/core/objects.ts';
import { renderAttachmentPod } from '../../../functions/launcher-pod/hotplug/attachment-pod.ts';
import { renderTriggerPod } from '../../../functions/launcher-pod/hotplug/trigger-pod.ts';
import { claim, clusterConfiguration, named, names, UID, vmi } from './fixture.ts';

const TROUBLES = ['disk-pressure', 'memory-pressure', 'network-unavailable', 'pid-pressure', 'unschedulable'];
const trouble = (taint: string) => ({ key: `node.kubernetes.io/${taint}`, operator: 'Exists', effect: 'NoSchedule' });

function owner(tolerations?: object[]): Pod {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'launcher', namespace: 'ns', uid: 'launcher-uid', labels: { a: '1', b: '2' } },
    spec: { containers: [], nodeName: 'n1', tolerations },
  };
  return pod as unknown as Pod;
}

interface Case {
  readonly volumes?: object[];
  readonly claims?: readonly ReturnType<typeof claim>[];
  readonly status?: object;
  readonly configuration?: object;
  readonly tolerations?: object[];
}

function attachment({ volumes, claims, status, configuration, tolerations }: Case = {}) {
  const given = volumes ?? [{ name: 'd', persistentVolumeClaim: { claimName: 'c' } }];
  return renderAttachmentPod({
    vmi: vmi({ status: { selinuxContext: 'none', ...status } }),
    owner: owner(tolerations),
    configuration: clusterConfiguration(configuration),
    volumes: given as { name: string }[],
    claims: new Map((claims ?? [claim('c')]).map((c) => ['d', c])),
  });
}

function attached(given?: Case) {
  const result = attachment(given);
  if (result.type === 'error') throw new Error(result.message);
  return result.pod;
}

const container = (given?: Case) => named(attached(given).spec.containers, 'hotplug-disk');
const hotplugMount = { name: 'hotplug-disks', mountPath: '/path', mountPropagation: 'HostToContainer' };

describe('attachment pods', () => {
  test('launcher-pod.md 17: the whole pod', () => {
    expect(attached()).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: 'hp-volume-',
        labels: { 'kubevirt.io': 'hotplug-disk' },
        annotations: { 'kubevirt.io/owner-vmi-name': 'v', 'kubevirt.io/owner-vmi-uid': UID },
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            name: 'launcher',
            uid: 'launcher-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        terminationGracePeriodSeconds: 0,
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }] },
              ],
            },
          },
        },
        tolerations: TROUBLES.map(trouble),
        containers: [
          {
            name: 'hotplug-disk',
            image: 'virt-launcher',
            command: ['/bin/sh', '-c', '/usr/bin/container-disk --copy-path /path/hp'],
            resources: { requests: { cpu: '10m', memory: '2M' }, limits: { cpu: '100m', memory: '80M' } },
            securityContext: {
              allowPrivilegeEscalation: false,
              runAsNonRoot: true,
              runAsUser: 107,
              seccompProfile: { type: 'RuntimeDefault' },
              capabilities: { drop: ['ALL'] },
              seLinuxOptions: { level: 's0' },
            },
            volumeMounts: [hotplugMount, { name: 'd', mountPath: '/d' }],
          },
        ],
        volumes: [
          { name: 'hotplug-disks', emptyDir: {} },
          { name: 'd', persistentVolumeClaim: { claimName: 'c' } },
        ],
      },
    });
  });

  test('pod case 119: file systems are mounted until they are taken over, block devices always', () => {
    const status = (phase: string) => ({
      volumeStatus: [{ name: 'd', target: '', phase, hotplugVolume: {} }],
    });
    const mounts = (phase: string) => container({ status: status(phase) }).volumeMounts;
    expect(mounts('Bound')).toEqual([hotplugMount, { name: 'd', mountPath: '/d' }]);
    expect(mounts('Ready')).toEqual([hotplugMount]);
    expect(mounts('MountedToPod')).toEqual([hotplugMount]);
    expect(names(attached({ status: status('Ready') }).spec.volumes)).toEqual(['hotplug-disks', 'd']);

    const claims = [claim('c', { volumeMode: 'Block' })];
    for (const phase of ['Bound', 'Ready']) {
      const block = container({ claims, status: status(phase) });
      expect(block.volumeDevices).toEqual([{ name: 'd', devicePath: '/path/d/uid-c' }]);
      expect(block.volumeMounts).toEqual([hotplugMount]);
    }
    expect(container({ claims: [] }).volumeMounts).toEqual([hotplugMount]);
    expect(names(attached({ claims: [] }).spec.volumes)).toEqual(['hotplug-disks', 'd']);
  });

  test('claims of DataVolumes and memory dumps; volumes without a claim are skipped', () => {
    const volumes = [
      { name: 'v', dataVolume: { name: 'dv' } },
      { name: 'm', memoryDump: { claimName: 'dump' } },
      { name: 'x', emptyDisk: { capacity: '1Gi' } },
    ];
    const claims = attached({ volumes }).spec.volumes?.map((v) => v.persistentVolumeClaim?.claimName);
    expect(claims).toEqual([undefined, 'dv', 'dump']);
  });

  test('pod case 120: the SELinux level', () => {
    const level = (selinuxContext: string, more: object = {}) => {
      const configuration = { selinuxLauncherType: 'spc_t' };
      const result = attachment({ status: { selinuxContext, ...more }, configuration });
      if (result.type === 'error') return result.problem;
      return result.pod.spec.containers[0]?.securityContext?.seLinuxOptions;
    };
    expect(level('system_u:system_r:container_t:s0:c1,c2')).toEqual({ type: 'spc_t', level: 's0:c1,c2' });
    expect(level('none')).toEqual({ type: 'spc_t', level: 's0' });
    expect(level('a:b:c')).toEqual({ type: 'bad-selinux-context', context: 'a:b:c' });
    const migrationState = { sourceState: { selinuxContext: 'u:r:t:s0:c7' } };
    expect(level('', { migrationState })).toEqual({ type: 'spc_t', level: 's0:c7' });
    expect(level('')).toEqual({ type: 'selinux-context-unknown' });
  });

  test("pod case 121: the owner's tolerations among those of nodes in trouble", () => {
    const limited = {
      key: 'node.kubernetes.io/not-ready',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    };
    const { tolerations } = attached({
      tolerations: [limited, trouble('disk-pressure'), { operator: 'Exists' }, limited],
    }).spec;
    expect(tolerations).toEqual([
      { operator: 'Exists' },
      ...['disk-pressure', 'memory-pressure', 'network-unavailable'].map(trouble),
      limited,
      limited,
      ...['pid-pressure', 'unschedulable'].map(trouble),
    ]);
  });

  test('resources follow the cluster', () => {
    const supportContainerResources = [{ type: 'hotplug-disk', resources: { limits: { memory: '90M' } } }];
    expect(container({ configuration: { supportContainerResources } }).resources).toEqual({
      requests: { cpu: '10m', memory: '2M' },
      limits: { cpu: '100m', memory: '90M' },
    });
  });
});

describe('trigger pods', () => {
  const trigger = (volumeMode: 'Block' | 'Filesystem', stay: 'temporary' | 'lasting' = 'temporary') => {
    const result = renderTriggerPod({
      vmi: vmi({ status: { selinuxContext: 'u:r:t:s0:c1' } }),
      owner: owner([{ operator: 'Exists' }]),
      configuration: clusterConfiguration({ selinuxLauncherType: 'spc_t' }),
      volumeName: 'd',
      claimName: 'c',
      volumeMode,
      stay,
    });
    if (result.type === 'error') throw new Error(result.message);
    return result.pod;
  };

  test('pod case 122: a block claim', () => {
    const { metadata, spec } = trigger('Block');
    expect(metadata.annotations?.['kubevirt.io/ephemeral-provisioning']).toBe('true');
    expect(spec.containers[0]).toMatchObject({
      command: ['/bin/bash', '-c', 'exit', '0'],
      volumeDevices: [{ name: 'd', devicePath: '/dev/hotplugblockdevice' }],
      volumeMounts: [hotplugMount],
    });
    expect(spec.containers[0]?.securityContext?.seLinuxOptions).toEqual({ level: 's0:c1' });
    expect(spec.securityContext).toEqual({ runAsUser: 0 });
    expect(spec.affinity).toEqual({
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { a: '1', b: '2' } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    });
    expect(spec.tolerations).toEqual([{ operator: 'Exists' }]);
    expect(spec.volumes).toEqual([
      { name: 'd', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'hotplug-disks', emptyDir: {} },
    ]);
  });

  test('pod case 122: a file system', () => {
    const { spec } = trigger('Filesystem');
    expect(spec.containers[0]?.volumeMounts).toEqual([hotplugMount, { name: 'd', mountPath: '/pvc' }]);
    expect(spec.containers[0]?.volumeDevices).toBeUndefined();
    expect(spec.securityContext).toBeUndefined();
  });

  test('one that stays', () => {
    const { metadata, spec } = trigger('Filesystem', 'lasting');
    expect(metadata.annotations?.['kubevirt.io/ephemeral-provisioning']).toBeUndefined();
    expect(spec.containers[0]?.command).toEqual(['/bin/sh', '-c', '/usr/bin/container-disk --copy-path /path/hp']);
  });
});
