import { defineController } from '../core/controller.ts';
import { ControllerRevision, PersistentVolumeClaim, VirtualMachine, VirtualMachineInstance } from '../core/kinds.ts';
import { byName, keyFor, keyOf, type ObjectIndex } from '../core/object-index.ts';
import type * as objects from '../core/objects.ts';
import { many, one } from '../core/reads.ts';
import { isStartRevisionOf } from './start-revision-name.ts';
import { claimNameOf } from './template-volumes.ts';

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
    instance: one(VirtualMachineInstance).named<objects.VirtualMachine>(keyOf),
    /** The VM's own start revisions; those of instance types have other names. */
    revisions: many(ControllerRevision)
      .by<objects.VirtualMachine>(byVirtualMachine, (machine) => machine.metadata.uid)
      .where((revision, machine) => isStartRevisionOf(machine, revision.metadata.name)),
    /** The revision that the VMI was started from, if it is not one of those. */
    foreignRevision: one(ControllerRevision).named<objects.VirtualMachine>((machine, found) => {
      const name = found.one<objects.VirtualMachineInstance>('instance')?.status?.virtualMachineRevisionName;
      if (name === undefined || name === '') return undefined;
      const known = found.many<objects.ControllerRevision>('revisions').some((r) => r.metadata.name === name);
      return known ? undefined : keyFor(machine.metadata.namespace, name);
    }),
    /** Claims of the template's volumes, for the printable status (vm.md 12.5). */
    claims: many(PersistentVolumeClaim)
      .by<objects.VirtualMachine>(byName, (machine) =>
        (machine.spec.template?.spec?.volumes ?? []).flatMap((volume) => {
          const claim = claimNameOf(volume);
          return claim === undefined ? [] : [keyFor(machine.metadata.namespace, claim)];
        }),
      )
      .only(phaseOf),
  },
});

function phaseOf(claim: objects.PersistentVolumeClaim): objects.PersistentVolumeClaim {
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const { apiVersion, kind } = claim;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: {},
    status: { phase: claim.status?.phase },
  };
}
