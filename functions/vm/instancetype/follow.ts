import { findProfile } from '../../rules/instancetype/find.ts';
import { matcherOf, sides } from '../../rules/instancetype/side.ts';
import type { Pass } from '../pass.ts';
import { next, type Step, syncError } from '../step.ts';
import { expandInstancetypes, finishExpansion, referencePolicy } from './expand.ts';
import { sourcesOf } from './sources.ts';
import { storeReferences } from './store.ts';
import { upgradeRevisions } from './upgrade.ts';

/** Finds what the VM's matchers name, and keeps it as revisions (vm.md 10.1; chapter 4, step 7). */
export function followInstancetypes(pass: Pass): Step {
  if (sides.every((side) => matcherOf(side, pass.vm) === undefined)) return finishExpansion(pass);
  const found = findProfile(pass.vm, sourcesOf(pass));
  if (found.type === 'error') {
    const reason = found.side.matcher === 'instancetype' ? 'FailedFindInstancetype' : 'FailedFindPreference';
    return syncError(reason, `Finding the ${found.side.matcher}: ${found.message}`);
  }
  pass.profile = found.profile;
  if (referencePolicy(pass) !== 'reference') return expandInstancetypes(pass);

  const error = storeReferences(pass) ?? upgradeRevisions(pass);
  if (error === undefined) return next;
  pass.event('Warning', 'FailedCreate', `Error keeping instance type and preference: ${error}`);
  return syncError('FailedCreate', `Keeping instance type and preference: ${error}`);
}
