import type { V1VirtualMachineInstanceSpec, V1VirtualMachineSpec } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { KubeObject } from '../objects.ts';
import { parseMember, type TypeRef } from './members.ts';
import { writtenPod } from './pod.ts';
import { writtenMember } from './written-member.ts';

/**
 * A whole object in the form in which it is written (runtime.md 11.1): POST, PUT of the main resource, stored copies.
 *
 * The argument stays as it is; an object that is in the form already comes back equal. Kinds outside the table of types
 * get the form in their metadata only.
 */
export function writtenForm<T extends KubeObject>(object: T): T;
export function writtenForm(object: KubeObject): KubeObject {
  switch (object.kind) {
    case 'VirtualMachine':
    case 'VirtualMachineInstance':
    case 'VirtualMachineInstancetype':
    case 'VirtualMachinePreference':
      return writtenAs(object, object.kind);
    case 'VirtualMachineClusterInstancetype':
      return writtenAs(object, 'VirtualMachineInstancetype');
    case 'VirtualMachineClusterPreference':
      return writtenAs(object, 'VirtualMachinePreference');
    case 'DataVolume':
      return writtenDataVolume(object);
    case 'Pod':
      return writtenPod(object);
    case 'ControllerRevision':
      return writtenRevision(object);
    default:
      return { ...object, metadata: writtenAs(object.metadata, 'ObjectMeta') };
  }
}

/** The copy of a VM's spec in a revision's data, and the one that a comparison with it needs (vm.md 9). */
export function writtenVirtualMachineSpec(spec: V1VirtualMachineSpec): V1VirtualMachineSpec {
  return writtenAs(spec, 'VirtualMachineSpec');
}

/** The spec of a VMI made from a template (vm.md 5.10, replicaset.md). */
export function writtenInstanceSpec(spec: V1VirtualMachineInstanceSpec): V1VirtualMachineInstanceSpec {
  return writtenAs(spec, 'VirtualMachineInstanceSpec');
}

/** A part of an object in its written form, by its type in the table: `writtenAs(status, 'VirtualMachineStatus')`. */
export function writtenAs<T extends object>(value: T, type: TypeRef): T {
  // The form drops and normalises members, it adds none that the type does not have.
  return (writtenMember(value, parseMember(type)) ?? {}) as T;
}

/** Its spec is of the types that a VM's templates have (vm.md 8). */
function writtenDataVolume(dataVolume: KubeObject & { spec?: object }): KubeObject {
  const { spec, metadata } = dataVolume;
  const written = { ...dataVolume, metadata: writtenAs(metadata, 'ObjectMeta') };
  return spec === undefined ? written : ({ ...written, spec: writtenAs(spec, 'DataVolumeSpec') } as KubeObject);
}

/**
 * The data of a VM's revision are `{spec}`, a copy of the VM's (vm.md 9.2); those of an instance type's or a preference's are the
 * object (10.2), which has its form already. Those of other revisions are left alone, too.
 */
function writtenRevision(revision: KubeObject & { data?: unknown }): KubeObject {
  const metadata = writtenAs(revision.metadata, 'ObjectMeta');
  const spec = metadata.name.startsWith('revision-start-vm-') ? specIn(revision.data) : undefined;
  return spec === undefined
    ? { ...revision, metadata }
    : ({ ...revision, metadata, data: { spec: writtenAs(spec, 'VirtualMachineSpec') } } as KubeObject);
}

function specIn(data: unknown): object | undefined {
  if (typeof data !== 'object' || data === null || !('spec' in data)) return undefined;
  return typeof data.spec === 'object' && data.spec !== null ? data.spec : undefined;
}
