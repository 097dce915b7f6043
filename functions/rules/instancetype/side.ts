import type { V1InstancetypeMatcher, V1InstancetypeStatusRef } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { Kind } from '../../core/kind.ts';
import {
  VirtualMachineClusterInstancetype,
  VirtualMachineClusterPreference,
  VirtualMachineInstancetype,
  VirtualMachinePreference,
} from '../../core/kinds.ts';
import type * as objects from '../../core/objects.ts';

export type Matcher = V1InstancetypeMatcher;
export type StatusRef = V1InstancetypeStatusRef;

/** A VM as far as it says which instance type and preference it has. */
export interface Matched {
  readonly metadata: { readonly namespace?: string };
  readonly spec: { readonly instancetype?: Matcher; readonly preference?: Matcher };
  readonly status?: { readonly instancetypeRef?: StatusRef; readonly preferenceRef?: StatusRef };
}

type Profiled = objects.VirtualMachineInstancetype | objects.VirtualMachinePreference;

/** What instance types and preferences have in common, and where they differ. */
export interface Side<T extends Profiled = Profiled> {
  /** Member of the VM's spec. */
  readonly matcher: 'instancetype' | 'preference';
  /** Member of the VM's status. */
  readonly ref: 'instancetypeRef' | 'preferenceRef';
  readonly namespaced: Kind<T>;
  readonly cluster: Kind<T>;
  /** Annotation of a VMI that says what was applied to it. */
  readonly annotations: { readonly namespaced: string; readonly cluster: string };
  readonly specType: 'VirtualMachineInstancetypeSpec' | 'VirtualMachinePreferenceSpec';
}

export const instancetypeSide: Side<objects.VirtualMachineInstancetype> = {
  matcher: 'instancetype',
  ref: 'instancetypeRef',
  namespaced: VirtualMachineInstancetype,
  cluster: VirtualMachineClusterInstancetype,
  annotations: {
    namespaced: 'kubevirt.io/instancetype-name',
    cluster: 'kubevirt.io/cluster-instancetype-name',
  },
  specType: 'VirtualMachineInstancetypeSpec',
};

export const preferenceSide: Side<objects.VirtualMachinePreference> = {
  matcher: 'preference',
  ref: 'preferenceRef',
  namespaced: VirtualMachinePreference,
  cluster: VirtualMachineClusterPreference,
  annotations: { namespaced: 'kubevirt.io/preference-name', cluster: 'kubevirt.io/cluster-preference-name' },
  specType: 'VirtualMachinePreferenceSpec',
};

export const sides: readonly Side[] = [instancetypeSide, preferenceSide];

/** The kind that a matcher names, without regard to case; no name: the cluster-wide one (vm.md 10.3). `undefined`: no such kind. */
export function matchedKind<T extends Profiled>(side: Side<T>, { kind = '' }: Matcher): Kind<T> | undefined {
  const name = kind.toLowerCase();
  if (name === '') return side.cluster;
  return [side.namespaced, side.cluster].find((k) => name === k.kind.toLowerCase() || name === k.plural);
}

export function matcherOf(side: Side, vm: Pick<Matched, 'spec'>): Matcher | undefined {
  return vm.spec[side.matcher] ?? undefined;
}

export function refOf(side: Side, vm: Matched): StatusRef | undefined {
  return vm.status?.[side.ref] ?? undefined;
}

/** The name of the revision that a reference holds, if it holds one. */
export function revisionNameIn(ref: StatusRef | undefined): string | undefined {
  return ref?.controllerRevisionRef?.name || undefined;
}
