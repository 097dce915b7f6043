/** The objects of vmi.md 18: VMI `default/testvmi`, uid `1234`, API version annotations present. */
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import {
  defaultKubeVirtConfiguration,
  defaultProcessParameters,
} from '../../../functions/core/configuration/defaults.ts';
import type {
  Condition,
  DataVolume,
  KubeObject,
  PersistentVolumeClaim,
  Pod,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
} from '../../../functions/core/objects.ts';

export const UID = '1234';
export const LAUNCHER_IMAGE = 'registry.example/virt-launcher:v1';

export const configuration: ClusterConfiguration = {
  kubevirt: defaultKubeVirtConfiguration,
  defaultArchitecture: 'amd64',
  installNamespace: 'kubevirt',
  process: {
    ...defaultProcessParameters,
    launcherImage: LAUNCHER_IMAGE,
    exporterImage: 'registry.example/virt-exportserver:v1',
  },
};

export interface VmiExtra {
  readonly metadata?: Partial<KubeObject['metadata']>;
  readonly spec?: Partial<VirtualMachineInstance['spec']>;
  readonly status?: VirtualMachineInstance['status'];
}

const OBSERVED = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
};

/** A VMI in a phase (`''`: no status). Its spec has no volumes and the pod network only if told. */
export function vmi(phase: string, extra: VmiExtra = {}): VirtualMachineInstance {
  const { annotations, ...metadata } = extra.metadata ?? {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: 'testvmi',
      namespace: 'default',
      uid: UID,
      finalizers: ['kubevirt.io/foregroundDeleteVirtualMachine'],
      ...metadata,
      annotations: { ...OBSERVED, ...annotations },
    },
    spec: { domain: { devices: {} }, ...extra.spec } as VirtualMachineInstance['spec'],
    ...(phase === '' && extra.status === undefined
      ? {}
      : { status: { runtimeUser: 0, ...extra.status, ...(phase === '' ? {} : { phase }) } }),
  };
}

/** A VMI that virt-handler has on `node01`. */
export function handedOver(phase: 'Scheduled' | 'Running', extra: VmiExtra = {}): VirtualMachineInstance {
  return vmi(phase, {
    ...extra,
    metadata: { ...extra.metadata, labels: { 'kubevirt.io/nodeName': 'node01', ...extra.metadata?.labels } },
    status: { nodeName: 'node01', launcherContainerImageVersion: LAUNCHER_IMAGE, ...extra.status },
  });
}

export type PodExtra = {
  readonly metadata?: Partial<KubeObject['metadata']>;
  readonly spec?: Partial<Pod['spec']>;
  readonly status?: Pod['status'];
};

const SYNCED: Record<string, string> = {
  'kubevirt.io/domain': 'testvmi',
  'descheduler.alpha.kubernetes.io/request-evict-only': '',
  'kubevirt.io/migrationTransportUnix': 'true',
  'pre.hook.backup.velero.io/container': 'compute',
  'pre.hook.backup.velero.io/command':
    '["/usr/bin/virt-freezer", "--freeze", "--name", "testvmi", "--namespace", "default"]',
  'pre.hook.backup.velero.io/timeout': '60s',
  'post.hook.backup.velero.io/container': 'compute',
  'post.hook.backup.velero.io/command':
    '["/usr/bin/virt-freezer", "--unfreeze", "--name", "testvmi", "--namespace", "default"]',
};

export const UNPAUSED: Condition = {
  type: 'kubevirt.io/virtual-machine-unpaused',
  status: 'True',
  reason: 'NotPaused',
  lastProbeTime: null,
  lastTransitionTime: null,
};

/** A launcher pod of the VMI. `conditions` come after the unpaused one. */
export function pod(
  phase: string,
  extra: PodExtra & { readonly name?: string; readonly conditions?: Condition[] } = {},
): Pod {
  const { annotations, labels, ...metadata } = extra.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: extra.name ?? 'virt-launcher-testvmi-aaaaa',
      namespace: 'default',
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: 'testvmi',
          uid: UID,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      ...metadata,
      labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': UID, ...labels },
      annotations: { ...SYNCED, ...annotations },
    },
    spec: { containers: [{ name: 'compute', image: LAUNCHER_IMAGE }], ...extra.spec },
    status: {
      phase: phase as NonNullable<Pod['status']>['phase'],
      ...extra.status,
      conditions: [UNPAUSED, ...(extra.conditions ?? [])],
    },
  };
}

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

export function container(name: string, ready: boolean, state: ContainerStatus['state']): ContainerStatus {
  return { name, ready, state, image: LAUNCHER_IMAGE, imageID: '', restartCount: 0 };
}

export const RUNNING: ContainerStatus['state'] = { running: {} };
export const TERMINATED: ContainerStatus['state'] = { terminated: { exitCode: 1 } };

/** A pod on `node01` that is ready for the hand-over; with the label it gets after that. */
export function runningPod(extra: Parameters<typeof pod>[1] = {}): Pod {
  return pod('Running', {
    ...extra,
    metadata: { ...extra.metadata, labels: { 'kubevirt.io/nodeName': 'node01', ...extra.metadata?.labels } },
    spec: { nodeName: 'node01', ...extra.spec },
    status: { containerStatuses: [container('compute', true, RUNNING)], ...extra.status },
  });
}

export const LAUNCHER = 'virt-launcher-testvmi-aaaaa';

/** A hotplugged volume on the claim of its name. */
export function hotplug(name: string) {
  return { name, persistentVolumeClaim: { claimName: name, hotpluggable: true } };
}

/** A bound claim of a hotplugged volume. */
export function bound(name: string, extra: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return claim(name, { ...extra, status: { phase: 'Bound', capacity: { storage: '1Gi' } } });
}

/** A pod of the launcher pod that attaches these volumes; `service account token` as admission adds it. */
export function attachmentPod(name: string, volumes: readonly string[], phase: string, extra: PodExtra = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      labels: { 'kubevirt.io': 'hotplug-disk' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: LAUNCHER, uid: `uid-${LAUNCHER}`, controller: true }],
      ...extra.metadata,
      annotations: {
        'kubevirt.io/owner-vmi-name': 'testvmi',
        'kubevirt.io/owner-vmi-uid': UID,
        ...extra.metadata?.annotations,
      },
    },
    spec: {
      nodeName: 'node01',
      containers: [{ name: 'hotplug-disk', image: LAUNCHER_IMAGE }],
      volumes: [
        { name: 'hotplug-disks', emptyDir: {} },
        ...volumes.map((v) => ({ name: v, persistentVolumeClaim: { claimName: v } })),
        { name: 'kube-api-access-aaaaa', projected: {} },
      ],
      ...extra.spec,
    },
    status: { phase: phase as NonNullable<Pod['status']>['phase'], ...extra.status },
  };
}

/** Its one container is ready. */
export const SERVING = { containerStatuses: [container('hotplug-disk', true, RUNNING)] };

export function claim(name: string, extra: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    ...extra,
    metadata: { name, namespace: 'default', ...extra.metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      volumeMode: 'Filesystem',
      storageClassName: 'manual',
      resources: { requests: { storage: '1Gi' } },
      ...extra.spec,
    },
  };
}

/** A claim that a DataVolume of its name fills. */
export function filledClaim(name: string, extra: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  const owner = {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    name,
    uid: `uid-dv-${name}`,
    controller: true,
  };
  return claim(name, { ...extra, metadata: { name, ownerReferences: [owner], ...extra.metadata } });
}

/** A DataVolume in a phase; `ready`: its condition of that name. */
export function dataVolume(name: string, phase?: string, ready?: string): DataVolume {
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: { name, namespace: 'default', uid: `uid-dv-${name}` },
    spec: {},
    status: {
      ...(phase === undefined ? {} : { phase }),
      ...(ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready }] }),
    },
  };
}

export function migration(name: string, phase: string, spec: object = {}): VirtualMachineInstanceMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: { vmiName: 'testvmi', ...spec },
    status: { phase },
  };
}

export function virtualMachine(name: string, uid: string): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default', uid },
    spec: { template: {} } as VirtualMachine['spec'],
  };
}
