import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import { disksOf, hasReservation } from '../predicates/devices.ts';
import { volumesOf } from '../predicates/storage.ts';

/** Label of pods that hold a reservation on a claim, by the claim's uid. */
export function reservationLabel(claim: PersistentVolumeClaim): string {
  return `pr.kubevirt.io/${claim.metadata.uid}`;
}

/** The claims of disks with a persistent reservation, each once; what cannot be found is skipped (launcher-pod.md 8, step 5). */
export function reservedClaims(
  vmi: VirtualMachineInstance,
  claims: readonly PersistentVolumeClaim[],
): readonly PersistentVolumeClaim[] {
  const names = disksOf(vmi)
    .filter(hasReservation)
    .map((disk) => {
      const volume = volumesOf(vmi).find((v) => v.name === disk.name);
      return volume?.dataVolume?.name ?? volume?.persistentVolumeClaim?.claimName ?? volume?.memoryDump?.claimName;
    });
  const found = names.flatMap((name) => {
    const claim = claims.find((c) => c.metadata.name === name && c.metadata.namespace === vmi.metadata.namespace);
    return claim === undefined ? [] : [claim];
  });
  return [...new Map(found.map((claim) => [claim.metadata.uid, claim])).values()];
}
