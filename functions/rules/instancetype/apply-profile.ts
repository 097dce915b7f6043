import { type MemberPath, pathText } from '../../core/written-form/misfit.ts';
import { applyInstancetype } from './apply-instancetype.ts';
import { applyPreference } from './preferences/apply-preference.ts';
import type { Applied, Profile, Target } from './profile.ts';

/**
 * Instance type and preference applied to a VMI, or to a VM's template (vm.md 10.4 to 10.6): first the instance type, then the
 * preference in what is left open. The target stays as it is.
 */
export function applyProfile<T extends Target>(target: T, profile: Profile): Applied<T> {
  const applied = applyInstancetype(target, profile);
  return applied.type === 'conflict'
    ? applied
    : { type: 'applied', target: applyPreference(applied.target, profile.preference) };
}

/**
 * The text of a conflict.
 *
 * @param above where the target stands in its object: `['spec', 'template']` for a VM's template
 */
export function conflictText(fields: readonly MemberPath[], above: MemberPath = []): string {
  const paths = fields.map((f) => pathText([...above, ...f]));
  return `the instance type sets what is set already: ${paths.join(', ')}`;
}
