import type { VirtualMachine, VirtualMachineInstance } from '../../core/objects.ts';
import { applyProfile } from '../../rules/instancetype/apply-profile.ts';
import { findProfile } from '../../rules/instancetype/find.ts';
import type { Profile } from '../../rules/instancetype/profile.ts';
import type { Pass } from '../pass.ts';
import { sourcesOf } from './sources.ts';

type Spec = VirtualMachineInstance['spec'];

/** The template's spec with instance type and preference applied to it (vm.md 10.5); `undefined`: they can't be. */
export function appliedTemplateSpec({ spec }: Pick<VirtualMachine, 'spec'>, profile: Profile): Spec | undefined {
  const { template } = spec;
  if (template?.spec === undefined) return undefined;
  const applied = applyProfile({ ...template, spec: template.spec }, profile);
  return applied.type === 'applied' ? applied.target.spec : undefined;
}

/** The same for the VM as it was at its last start, by the revisions that its spec names (vm.md 11.2). */
export function appliedStartSpec(pass: Pass, started: VirtualMachine['spec']): Spec | undefined {
  const found = findProfile({ metadata: pass.vm.metadata, spec: started }, sourcesOf(pass));
  return found.type === 'found' ? appliedTemplateSpec({ spec: started }, found.profile) : undefined;
}
