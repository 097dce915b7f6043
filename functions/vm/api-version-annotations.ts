import { writtenForm } from '../core/written-form/written-form.ts';
import { annotation } from './names.ts';
import type { Pass } from './pass.ts';
import { endPass, hardError, next, type Step } from './step.ts';

const API_VERSION = 'v1';

/** API version annotations (vm.md 3.1, step 2): the first write on every VM, and the only one of its pass. */
export function observeApiVersion(pass: Pass): Step {
  const { vm } = pass;
  if (vm.metadata.annotations?.[annotation.latestObservedApiVersion] === API_VERSION) return next;
  const annotations = {
    ...vm.metadata.annotations,
    [annotation.latestObservedApiVersion]: API_VERSION,
    [annotation.storageObservedApiVersion]: API_VERSION,
  };
  const object = writtenForm({ ...vm, metadata: { ...vm.metadata, annotations } });
  const failure = pass.attempt({ id: 'observe-api-version', verb: 'update', object });
  return failure === undefined ? endPass : hardError(`API version annotations: ${failure.message}`);
}
