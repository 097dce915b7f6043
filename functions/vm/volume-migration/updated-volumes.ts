import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { claimNameOf } from '../template-volumes.ts';

/** Volumes that VM and VMI both have, on other claims: their names, each with the VM's volume (vm.md 7.5). */
export function updatedVolumes(
  template: readonly V1Volume[] | undefined,
  running: readonly V1Volume[] | undefined,
): ReadonlyMap<string, V1Volume> {
  const claims = new Map((running ?? []).map((v) => [v.name, claimNameOf(v)]));
  const updated = (template ?? []).filter((volume) => {
    const [wanted, now] = [claimNameOf(volume), claims.get(volume.name)];
    return wanted !== undefined && now !== undefined && wanted !== now;
  });
  return new Map(updated.map((v) => [v.name, v]));
}
