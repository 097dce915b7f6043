/** What the VM controller sees of objects that are not its own. A change outside it is no reason for a pass. */
import { identityOf } from '../core/identity.ts';
import type * as objects from '../core/objects.ts';
import { annotation } from './names.ts';

const DATA_VOLUME_CONDITIONS = new Set(['Bound', 'Running']);

export function claimView(claim: objects.PersistentVolumeClaim): objects.PersistentVolumeClaim {
  const view = identityOf(claim);
  const { annotations, creationTimestamp, deletionTimestamp } = claim.metadata;
  const dump = annotations?.[annotation.memoryDump];
  // Whether there are any annotations decides how one is added.
  const kept: Record<string, string> = dump === undefined ? {} : { [annotation.memoryDump]: dump };
  const { accessModes, volumeMode, storageClassName, resources, dataSourceRef } = claim.spec;
  return {
    ...view,
    metadata: { ...view.metadata, creationTimestamp, deletionTimestamp, ...(annotations && { annotations: kept }) },
    spec: { accessModes, volumeMode, storageClassName, resources, dataSourceRef },
    status: { phase: claim.status?.phase, capacity: claim.status?.capacity },
  };
}

export function dataVolumeView(dataVolume: objects.DataVolume): objects.DataVolume {
  const view = identityOf(dataVolume);
  const { ownerReferences, deletionTimestamp } = dataVolume.metadata;
  const storageClassName = dataVolume.spec?.pvc?.storageClassName;
  const conditions = dataVolume.status?.conditions
    ?.filter((c) => DATA_VOLUME_CONDITIONS.has(c.type))
    .map(({ type, status, reason }) => ({ type, status, reason }));
  return {
    ...view,
    metadata: { ...view.metadata, ownerReferences, deletionTimestamp },
    ...(storageClassName === undefined ? {} : { spec: { pvc: { storageClassName } } }),
    status: { phase: dataVolume.status?.phase, conditions },
  };
}

/** Of another VM that owns a data volume: the templates of its data volumes. */
export function templatesOnly(vm: objects.VirtualMachine): objects.VirtualMachine {
  const { dataVolumeTemplates } = vm.spec;
  return { ...identityOf(vm), spec: { dataVolumeTemplates } as objects.VirtualMachine['spec'] };
}

export function dataSourceView({ spec, status, ...source }: objects.DataSource): objects.DataSource {
  return { ...identityOf(source), spec: { source: spec?.source }, status: { source: status?.source } };
}

export function namespaceView(namespace: objects.Namespace): objects.Namespace {
  const view = identityOf(namespace);
  return { ...view, metadata: { ...view.metadata, labels: namespace.metadata.labels } };
}

/** Only that it is there. */
export function existence(claim: objects.PersistentVolumeClaim): objects.PersistentVolumeClaim {
  return { ...identityOf(claim), spec: {} };
}

export function storageClassView(storageClass: objects.StorageClass): objects.StorageClass {
  return { ...identityOf(storageClass), provisioner: storageClass.provisioner };
}

export function storageProfileView(profile: objects.StorageProfile): objects.StorageProfile {
  return { ...identityOf(profile), status: { snapshotClass: profile.status?.snapshotClass } };
}

export function snapshotClassView(snapshotClass: objects.VolumeSnapshotClass): objects.VolumeSnapshotClass {
  const view = identityOf(snapshotClass);
  const { annotations } = snapshotClass.metadata;
  return { ...view, metadata: { ...view.metadata, annotations }, driver: snapshotClass.driver };
}
