import type { Pass } from './pass.ts';
import { next, type Step, syncError } from './step.ts';

/**
 * VMs that need what this controller does not do are left alone, rather than started without what they ask for: condition
 * `Failure` says why. They can be deleted.
 */
export function refuseUnsupported(pass: Pass): Step {
  const { spec } = pass.vm;
  const needs = [...(spec.runStrategy === 'WaitAsReceiver' ? ['runStrategy WaitAsReceiver'] : [])];
  if (needs.length === 0) return next;
  return syncError('UnsupportedSyncError', `Not supported by this controller: ${needs.join(', ')}`);
}
