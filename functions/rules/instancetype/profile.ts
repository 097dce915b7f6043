import type {
  VirtualMachineInstance,
  VirtualMachineInstancetype,
  VirtualMachinePreference,
} from '../../core/objects.ts';
import type { MemberPath } from '../../core/written-form/misfit.ts';

export type InstancetypeSpec = VirtualMachineInstancetype['spec'];
export type PreferenceSpec = VirtualMachinePreference['spec'];
export type InstanceSpec = VirtualMachineInstance['spec'];

/** What is applied to a VM's template, or to the VMI made from it: the specs that the VM's matchers name. */
export interface Profile {
  readonly instancetype?: InstancetypeSpec;
  readonly preference?: PreferenceSpec;
}

/** Metadata and spec of a VMI, or of a VM's template. */
export interface Target {
  readonly metadata?: { annotations?: Record<string, string> };
  readonly spec: InstanceSpec;
}

/** `fields` are paths of the target's members that an instance type sets and that are set already, e.g. `spec.domain.cpu.cores`. */
export type Applied<T extends Target> =
  | { readonly type: 'applied'; readonly target: T }
  | { readonly type: 'conflict'; readonly fields: readonly MemberPath[] };
