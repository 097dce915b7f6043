import { sha1Hex } from '../../core/digest.ts';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import { reservationLabel } from '../placement/persistent-reservation.ts';
import type { Strings } from '../pod-types.ts';
import { hostName } from './host-name.ts';

const ISTIO_INJECT = 'sidecar.istio.io/inject';

/** launcher-pod.md 5. `reservedClaims`: claims of disks with a persistent reservation. */
export function podLabels(vmi: VirtualMachineInstance, reservedClaims: readonly PersistentVolumeClaim[]): Strings {
  const inject = vmi.metadata.annotations?.[ISTIO_INJECT];
  return {
    ...vmi.metadata.labels,
    'kubevirt.io': 'virt-launcher',
    'kubevirt.io/created-by': vmi.metadata.uid ?? '',
    'vm.kubevirt.io/name': hostName(vmi),
    'vmi.kubevirt.io/id': labelFor(vmi.metadata.name),
    ...(inject === undefined ? {} : { [ISTIO_INJECT]: inject }),
    ...Object.fromEntries(reservedClaims.map((claim) => [reservationLabel(claim), ''])),
  };
}

/** A name as a label value: as it is up to 63 characters, else cut and told apart by a hash. */
function labelFor(name: string): string {
  return name.length <= 63 ? name : `${name.slice(0, 54)}-${sha1Hex(name).slice(0, 8)}`;
}
