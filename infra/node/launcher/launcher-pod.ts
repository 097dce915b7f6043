import type { Pod } from '../../../functions/core/objects.ts';
import { domainName } from './domain-name.ts';
import type { GuestRecord } from './guest-record.ts';

const TEMPORARY = 'kubevirt.io/ephemeral-provisioning';
/** virt-launcher's container. */
export const COMPUTE = 'compute';

export function isLauncher(pod: Pod): boolean {
  return pod.metadata.labels?.['kubevirt.io'] === 'virt-launcher';
}

/** Made only to have volumes provisioned (vmi.md 1.2): it runs no guest. */
export function isTemporary(pod: Pod): boolean {
  return pod.metadata.annotations?.[TEMPORARY] !== undefined;
}

/** Name of the VMI that a launcher pod is for. */
export function vmiNameOf(pod: Pod): string {
  return pod.metadata.annotations?.['kubevirt.io/domain'] ?? pod.metadata.name;
}

export function vmiUidOf(pod: Pod): string {
  return pod.metadata.labels?.['kubevirt.io/created-by'] ?? '';
}

/** Also the image of the other parts of the pod that come from KubeVirt. */
export function launcherImageOf(pod: Pod): string | undefined {
  return pod.spec.containers.find((c) => c.name === COMPUTE)?.image;
}

export function newRecord(
  pod: Pod,
  podIp: string,
  { images, claims }: Pick<GuestRecord, 'images' | 'claims'>,
): GuestRecord {
  const namespace = pod.metadata.namespace ?? '';
  const vmiName = vmiNameOf(pod);
  return {
    namespace,
    vmiName,
    podIp,
    images,
    claims,
    plugged: {},
    podName: pod.metadata.name,
    podUid: pod.metadata.uid ?? '',
    vmiUid: vmiUidOf(pod),
    domain: domainName(namespace, vmiName),
  };
}
