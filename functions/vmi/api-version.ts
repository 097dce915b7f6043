import type { UpdateAction } from '../core/action.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import { annotation } from './names.ts';

export const OBSERVE_ID = 'observe api version';

const OBSERVED = 'v1';

/** Whether the VMI says under which API version it was last looked at (vmi.md 3.9). */
export function observesApiVersion(vmi: VirtualMachineInstance): boolean {
  return vmi.metadata.annotations?.[annotation.latestObservedApiVersion] === OBSERVED;
}

/** The PUT that is all of a new VMI's first pass (vmi.md 4, step 2). */
export function observeApiVersion(vmi: VirtualMachineInstance): UpdateAction {
  const annotations = {
    ...vmi.metadata.annotations,
    [annotation.latestObservedApiVersion]: OBSERVED,
    [annotation.storageObservedApiVersion]: OBSERVED,
  };
  return {
    id: OBSERVE_ID,
    verb: 'update',
    object: writtenForm({ ...vmi, metadata: { ...vmi.metadata, annotations } }),
  };
}
