import { DataVolume, PersistentVolumeClaim } from '../../../functions/core/kinds.ts';
import type * as objects from '../../../functions/core/objects.ts';
import { NAMESPACE, type World } from './world.ts';

type Templates = NonNullable<objects.VirtualMachine['spec']['dataVolumeTemplates']>;
type DataVolumeSpec = NonNullable<objects.DataVolume['spec']>;
type Claim = objects.PersistentVolumeClaim;

export const cdi = 'cdi.kubevirt.io/v1beta1';

export function dataVolumeTemplate(
  name: string,
  spec: DataVolumeSpec = { source: { blank: {} } },
  annotations?: Record<string, string>,
): Templates[number] {
  return { metadata: { name, ...(annotations && { annotations }) } as object, spec };
}

export const dataVolumeVolume = (name: string) => ({ name, dataVolume: { name } });

/** What CDI makes of a data volume, with a claim when there is one. */
export function fill(world: World, name: string, phase: string, conditions?: objects.Condition[]): void {
  world.cluster.change(DataVolume, name, NAMESPACE, (dataVolume) => {
    dataVolume.status = { phase, ...(conditions && { conditions }) };
  });
}

export function createDataVolume(
  world: World,
  name: string,
  { phase = 'Succeeded', owners = [] as objects.OwnerReference[], spec = {} as DataVolumeSpec } = {},
): void {
  world.cluster.create<objects.DataVolume>({
    apiVersion: cdi,
    kind: 'DataVolume',
    metadata: { name, namespace: NAMESPACE, ...(owners.length > 0 && { ownerReferences: owners }) },
    spec,
    status: { phase },
  });
}

export function createClaim(
  world: World,
  name: string,
  spec: Partial<Claim['spec']> = {},
  { phase = 'Bound', metadata = {} as Partial<objects.ObjectMeta> } = {},
): void {
  const namespace = metadata.namespace ?? NAMESPACE;
  world.cluster.create<Claim>({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', ...spec },
  });
  world.cluster.change(PersistentVolumeClaim, name, namespace, (claim) => {
    claim.status = { phase, capacity: { storage: '1Gi' } };
  });
}

export function createNamespace(world: World, name: string, labels: Record<string, string> = {}): void {
  world.cluster.create<objects.Namespace>({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
}

export function createStorageClass(world: World, name: string, provisioner = 'csi'): void {
  const metadata = { name };
  world.cluster.create<objects.StorageClass>({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata,
    provisioner,
  });
}

export function createSnapshotClass(world: World, name: string, driver = 'csi'): void {
  const metadata = { name };
  world.cluster.create<objects.VolumeSnapshotClass>({
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    metadata,
    driver,
  });
}
