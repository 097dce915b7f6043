import type { V1Disk, V1Input } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { VirtualMachineInstance as VirtualMachineInstanceKind } from '../core/kinds.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { ownerReferenceTo } from '../core/owner.ts';
import { stableFirmwareUuid } from './firmware-uuid.ts';
import { annotation, finalizer } from './names.ts';
import type { Pass } from './pass.ts';
import { isStartPaused } from './state-change-requests.ts';

type Spec = VirtualMachineInstance['spec'];

/** The VMI that a start makes, by the VM alone (vm.md 5.10, steps 4 to 11). */
export function instanceFrom({ vm }: Pick<Pass, 'vm'>, revisionName: string): VirtualMachineInstance {
  const { name, namespace, generation = 0 } = vm.metadata;
  const { generateName: _, ...template } = vm.spec.template?.metadata ?? {};
  return {
    apiVersion: VirtualMachineInstanceKind.apiVersion,
    kind: VirtualMachineInstanceKind.kind,
    metadata: {
      ...template,
      name,
      namespace,
      annotations: { ...template.annotations, [annotation.vmGeneration]: String(generation) },
      ownerReferences: [ownerReferenceTo(vm)],
      finalizers: [...(template.finalizers ?? []), finalizer.controller],
    },
    spec: specFrom(vm),
    status: { virtualMachineRevisionName: revisionName, runtimeUser: 0 },
  };
}

function specFrom(vm: Pass['vm']): Spec {
  // A template without domain is written with one (runtime.md 11.1, rule 7).
  const template = vm.spec.template?.spec ?? ({} as Spec);
  const { domain } = template;
  const uuid = domain?.firmware?.uuid;
  return {
    ...template,
    ...(isStartPaused(vm) ? { startStrategy: 'Paused' } : {}),
    domain: {
      ...domain,
      firmware: { ...domain?.firmware, uuid: uuid || stableFirmwareUuid(vm.metadata.name) },
      devices: {
        ...domain?.devices,
        disks: [...(domain?.devices?.disks ?? []), ...missingDisks(template)],
        inputs: inputsOf(template),
      },
    },
  };
}

/** A disk for every volume that is used neither as a disk nor as a filesystem. */
function missingDisks({ volumes, domain }: Spec): V1Disk[] {
  const { disks = [], filesystems = [] } = domain?.devices ?? {};
  const used = new Set([...disks, ...filesystems].map((d) => d.name));
  return (volumes ?? []).filter((v) => !used.has(v.name)).map((v) => ({ name: v.name }));
}

/** An input device by default, where it is asked for and none is listed (vm.md 5.10, step 11). */
function inputsOf({ domain }: Spec): V1Input[] {
  const inputs = domain?.devices?.inputs ?? [];
  if (domain?.devices?.autoattachInputDevice !== true || inputs.length > 0) return inputs;
  return [{ name: 'default-0' } as V1Input];
}
