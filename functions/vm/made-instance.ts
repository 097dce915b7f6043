import type { V1Input } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { KubeVirtConfiguration } from '../core/newer-fields.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import { withDefaultNetwork } from '../rules/instance-defaults/default-network.ts';
import { withAppliedNames } from '../rules/instancetype/applied-annotations.ts';
import { applyProfile, conflictText } from '../rules/instancetype/apply-profile.ts';
import { withAutoAttach } from '../rules/instancetype/preferences/auto-attach.ts';
import type { Profile } from '../rules/instancetype/profile.ts';
import { instanceFrom } from './instance.ts';
import { removedBindings } from './removed-bindings.ts';

export interface Start {
  readonly vm: VirtualMachine;
  readonly profile: Profile;
  readonly revisionName: string;
  readonly configuration: KubeVirtConfiguration;
}

export type Made =
  | { readonly type: 'made'; readonly instance: VirtualMachineInstance }
  /** The instance type can't be applied: there is an event about it. */
  | { readonly type: 'not-applicable'; readonly message: string }
  /** There is no event. */
  | { readonly type: 'refused'; readonly message: string };

/** The VMI that a start makes (vm.md 5.10, steps 4 to 14). */
export function makeInstance({ vm, profile, revisionName, configuration }: Start): Made {
  const bare = instanceFrom(vm, revisionName);
  const attached = withDefaultInput(withAutoAttach(bare.spec, profile.preference));
  const networked = withDefaultNetwork(attached, configuration);
  if (networked.type === 'error') return { type: 'refused', message: networked.message };

  const applied = applyProfile({ ...bare, spec: networked.spec }, profile);
  if (applied.type === 'conflict') {
    return { type: 'not-applicable', message: conflictText(applied.fields, ['spec', 'template']) };
  }
  const instance = withAppliedNames(applied.target, vm);
  const bindings = removedBindings(instance);
  return bindings.length === 0
    ? { type: 'made', instance }
    : { type: 'refused', message: `binding no longer supported: ${bindings.join(', ')}` };
}

/** An input device by default, where it is asked for and none is listed (vm.md 5.10, step 11). */
function withDefaultInput(spec: VirtualMachineInstance['spec']): VirtualMachineInstance['spec'] {
  const { devices } = spec.domain;
  if (devices.autoattachInputDevice !== true || (devices.inputs?.length ?? 0) > 0) return spec;
  const inputs = [{ name: 'default-0' } as V1Input];
  return { ...spec, domain: { ...spec.domain, devices: { ...devices, inputs } } };
}
