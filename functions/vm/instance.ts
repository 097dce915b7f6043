import { VirtualMachineInstance as VirtualMachineInstanceKind } from '../core/kinds.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import { ownerReferenceTo } from '../core/owner.ts';
import { withMissingDisks } from '../rules/instance-defaults/missing-disks.ts';
import { stableFirmwareUuid } from './firmware-uuid.ts';
import { annotation, finalizer } from './names.ts';
import { isStartPaused } from './state-change-requests.ts';

type Spec = VirtualMachineInstance['spec'];

/** The VMI that a start makes, by the VM alone (vm.md 5.10, steps 4 to 8). */
export function instanceFrom(vm: VirtualMachine, revisionName: string): VirtualMachineInstance {
  const { name, namespace, generation = 0 } = vm.metadata;
  const { generateName: _, ...template } = vm.spec.template?.metadata ?? {};
  return {
    apiVersion: VirtualMachineInstanceKind.apiVersion,
    kind: VirtualMachineInstanceKind.kind,
    metadata: {
      ...template,
      name,
      namespace,
      annotations: {
        ...template.annotations,
        [annotation.vmGeneration]: String(generation),
        ...(vm.spec.runStrategy === 'WaitAsReceiver' ? { [annotation.createMigrationTarget]: 'true' } : {}),
      },
      ownerReferences: [ownerReferenceTo(vm)],
      finalizers: [...(template.finalizers ?? []), finalizer.controller],
    },
    spec: specFrom(vm),
    status: { virtualMachineRevisionName: revisionName, runtimeUser: 0 },
  };
}

/** The volume of a memory dump is for the time of the dump alone (vm.md 5.10, step 4.3). */
function withoutFinishedDump({ status }: VirtualMachine, volumes: Spec['volumes']): Spec['volumes'] {
  const dump = status?.memoryDumpRequest;
  if (dump === undefined || dump.phase === 'Associating' || dump.phase === 'InProgress') return volumes;
  return volumes?.filter((v) => v.name !== dump.claimName);
}

function specFrom(vm: VirtualMachine): Spec {
  // A template without domain is written with one (runtime.md 11.1, rule 7).
  const template = vm.spec.template?.spec ?? ({} as Spec);
  const { domain } = template;
  const uuid = domain?.firmware?.uuid;
  return withMissingDisks({
    ...template,
    volumes: withoutFinishedDump(vm, template.volumes),
    ...(isStartPaused(vm) ? { startStrategy: 'Paused' } : {}),
    domain: {
      ...domain,
      firmware: { ...domain?.firmware, uuid: uuid || stableFirmwareUuid(vm.metadata.name) },
      devices: { ...domain?.devices },
    },
  });
}
