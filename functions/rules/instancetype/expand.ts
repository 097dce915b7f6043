import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachine } from '../../core/objects.ts';
import { withDefaultNetwork } from '../instance-defaults/default-network.ts';
import { withMissingDisks } from '../instance-defaults/missing-disks.ts';
import { withTemplateDefaults } from '../instance-defaults/template-defaults.ts';
import { applyProfile, conflictText } from './apply-profile.ts';
import type { InstanceSpec, Profile } from './profile.ts';

export type Expanded =
  | { readonly type: 'expanded'; readonly vm: VirtualMachine }
  | { readonly type: 'error'; readonly message: string };

/**
 * The VM with instance type and preference written into its template, and without matchers and references (vm.md 10.7).
 * The VM stays as it is.
 */
export function expand(vm: VirtualMachine, profile: Profile, configuration: ClusterConfiguration): Expanded {
  const { template } = vm.spec;
  const first = withDisksAndNetwork(template?.spec ?? { domain: { devices: {} } }, configuration);
  if (first.type === 'error') return first;
  const applied = applyProfile({ ...template, spec: first.spec }, profile);
  if (applied.type === 'conflict')
    return { type: 'error', message: conflictText(applied.fields, ['spec', 'template']) };
  const last = withDisksAndNetwork(withTemplateDefaults(applied.target.spec, configuration), configuration);
  if (last.type === 'error') return last;

  const { instancetype: _i, preference: _p, ...spec } = vm.spec;
  const expanded = { ...vm, spec: { ...spec, template: { ...applied.target, spec: last.spec } } };
  return { type: 'expanded', vm: withoutReferences(expanded) };
}

/** Whatever the references named is no longer the VM's. */
export function withoutReferences(vm: VirtualMachine): VirtualMachine {
  if (!vm.status?.instancetypeRef && !vm.status?.preferenceRef) return vm;
  const { instancetypeRef: _i, preferenceRef: _p, ...status } = vm.status;
  return { ...vm, status };
}

function withDisksAndNetwork(spec: InstanceSpec, { kubevirt }: ClusterConfiguration) {
  return withDefaultNetwork(withMissingDisks(spec), kubevirt);
}
