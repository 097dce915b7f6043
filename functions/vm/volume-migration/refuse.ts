import { type Step, syncError } from '../step.ts';

export function refuseUpdate(cause: string): Step {
  return syncError('VolumesUpdateError', `Updating volumes: ${cause}`);
}
