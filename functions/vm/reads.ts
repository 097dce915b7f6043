import { defineController } from '../core/controller.ts';
import {
  ControllerRevision,
  DataSource,
  DataVolume,
  Namespace,
  PersistentVolumeClaim,
  StorageClass,
  StorageProfile,
  VirtualMachine,
  VirtualMachineInstance,
  VolumeSnapshotClass,
} from '../core/kinds.ts';
import { byName, keyFor, keyOf, type ObjectIndex } from '../core/object-index.ts';
import type * as objects from '../core/objects.ts';
import { type Found, many, one } from '../core/reads.ts';
import { byStateOf, usesBackendStorage } from '../rules/volume-snapshot-status/all-volumes.ts';
import {
  byDriverAndName,
  dataVolumeOwnerKeys,
  snapshotClassValues,
  storageClassNames,
} from '../rules/volume-snapshot-status/lookups.ts';
import { instancetypeReads } from './instancetype/reads.ts';
import { claimNames, cloneSourceKeys, cloneSourceNamespaces, dataSourceKeys, dataVolumeNames } from './looked-up.ts';
import {
  claimView,
  dataSourceView,
  dataVolumeView,
  existence,
  namespaceView,
  snapshotClassView,
  storageClassView,
  storageProfileView,
  templatesOnly,
} from './projections.ts';
import { isStartRevisionOf } from './start-revision-name.ts';

type Machine = objects.VirtualMachine;

/** Index `vm` of vm.md 1.1: revisions by the uid of the first owner that is a VirtualMachine. */
const byVirtualMachine: ObjectIndex<objects.ControllerRevision> = {
  name: 'virtual-machine',
  valuesOf: (revision) => {
    const owner = revision.metadata.ownerReferences?.find((r) => r.kind === VirtualMachine.kind);
    return owner === undefined ? [] : [owner.uid];
  },
};

/**
 * What the VM controller looks at (vm.md 1.1).
 *
 * All reads subscribe. The original is not woken by revisions; here a VMI may be seen before the revision that it was
 * started from, and what follows from the revision must be made up for when it comes.
 */
export const vm = defineController({
  name: 'vm',
  primary: VirtualMachine,
  concurrency: 3,
  eventSource: 'virtualmachine-controller',
  reads: {
    /** The VMI of the VM's name, whoever owns it. */
    instance: one(VirtualMachineInstance).named<Machine>(keyOf),
    /** The VM's own start revisions; those of instance types have other names. */
    revisions: many(ControllerRevision)
      .by<Machine>(byVirtualMachine, (machine) => machine.metadata.uid)
      .where((revision, machine) => isStartRevisionOf(machine, revision.metadata.name)),
    /** The revision that the VMI was started from, if it is not one of those. */
    foreignRevision: one(ControllerRevision).named<Machine>((machine, found) => {
      const name = found.one<objects.VirtualMachineInstance>('instance')?.status?.virtualMachineRevisionName;
      if (name === undefined || name === '') return undefined;
      const known = found.many<objects.ControllerRevision>('revisions').some((r) => r.metadata.name === name);
      return known ? undefined : keyFor(machine.metadata.namespace, name);
    }),
    ...instancetypeReads,
    /** Those of the templates, and those that fill the claims of volumes. */
    dataVolumes: many(DataVolume)
      .by<Machine>(byName, (machine) => inNamespaceOf(machine, dataVolumeNames(machine)))
      .only(dataVolumeView),
    claims: many(PersistentVolumeClaim)
      .by<Machine>(byName, (machine, found) =>
        inNamespaceOf(machine, claimNames(machine, found.one<objects.VirtualMachineInstance>('instance'))),
      )
      .only(claimView),
    /** For the clones that are still to be made. */
    dataSources: many(DataSource)
      .by<Machine>(byName, (machine, found) => dataSourceKeys(machine, found.many('dataVolumes')))
      .only(dataSourceView),
    sourceClaims: many(PersistentVolumeClaim)
      .by<Machine>(byName, (machine, found) =>
        cloneSourceKeys(machine, found.many('dataVolumes'), found.many('dataSources')),
      )
      .only(existence),
    /** The VM's own, and those that clones come from. */
    namespaces: many(Namespace)
      .by<Machine>(byName, (machine, found) => [
        machine.metadata.namespace ?? '',
        ...cloneSourceNamespaces(machine, found.many('dataVolumes'), found.many('dataSources')),
      ])
      .only(namespaceView),
    /** What follows is for the snapshot statuses of volumes (snapshot-restore.md 12). */
    dataVolumeOwners: many(VirtualMachine)
      .by<Machine>(byName, (machine, found) => dataVolumeOwnerKeys(machine, found.many('dataVolumes')))
      .only(templatesOnly),
    backendClaims: many(PersistentVolumeClaim)
      .by<Machine>(byStateOf, (machine) => (usesBackendStorage(machine) ? keyOf(machine) : undefined))
      .only(claimView),
    storageClasses: many(StorageClass).by<Machine>(byName, classNames).only(storageClassView),
    storageProfiles: many(StorageProfile).by<Machine>(byName, classNames).only(storageProfileView),
    snapshotClasses: many(VolumeSnapshotClass)
      .by<Machine>(byDriverAndName, (_machine, found) =>
        snapshotClassValues(found.many('storageClasses'), found.many('storageProfiles')),
      )
      .only(snapshotClassView),
  },
  /** Whose changed blocks are tracked (vm.md 12.9). */
  revisitWhen: ({ kubevirt }) => kubevirt.changedBlockTrackingLabelSelectors ?? null,
});

function inNamespaceOf({ metadata }: Machine, names: readonly string[]): readonly string[] {
  return names.map((name) => keyFor(metadata.namespace, name));
}

function classNames(machine: Machine, found: Found): readonly string[] {
  return storageClassNames(machine, {
    claims: found.many('claims'),
    dataVolumes: found.many('dataVolumes'),
    dataVolumeOwners: found.many('dataVolumeOwners'),
    backendClaims: found.many('backendClaims'),
  });
}
