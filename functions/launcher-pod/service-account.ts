import type { VirtualMachineInstance } from '../core/objects.ts';
import type { PodSpec } from './pod-types.ts';
import { volumesOf } from './predicates/storage.ts';
import { unlessBlank } from './present.ts';

/** The pod's service account, and whether its token is mounted (launcher-pod.md 6). */
export function serviceAccount(
  vmi: VirtualMachineInstance,
): Pick<PodSpec, 'serviceAccountName' | 'automountServiceAccountToken'> {
  const volume = volumesOf(vmi).find((v) => v.serviceAccount !== undefined);
  const injected = vmi.metadata.annotations?.['sidecar.istio.io/inject']?.toLowerCase() === 'true';
  return {
    serviceAccountName:
      unlessBlank(vmi.spec.serviceAccountName) ?? unlessBlank(volume?.serviceAccount?.serviceAccountName),
    automountServiceAccountToken: volume !== undefined || injected,
  };
}
