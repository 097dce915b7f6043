import type { VmiVolume } from '../pod-types.ts';
import { PRIVATE_DIR } from './fixed-volumes.ts';
import { joinVolumeParts, NO_VOLUMES, type VolumeParts, volumeParts } from './volume-parts.ts';

/** Secrets that hold user data and network data; inline data is no concern of the pod (launcher-pod.md 12.4). */
export function cloudInitParts(
  name: string,
  { secretRef, networkDataSecretRef }: NonNullable<VmiVolume['cloudInitNoCloud']>,
): VolumeParts {
  return joinVolumeParts(
    secretParts(name, `${name}-udata`, secretRef?.name, ['userdata', 'userData']),
    secretParts(name, `${name}-ndata`, networkDataSecretRef?.name, ['networkdata', 'networkData']),
  );
}

/** The secret's key may have either spelling, so each is mounted. */
function secretParts(
  volume: string,
  name: string,
  secretName: string | undefined,
  keys: readonly string[],
): VolumeParts {
  if (secretName === undefined || secretName === '') return NO_VOLUMES;
  return volumeParts(`secret of cloud-init for volume ${volume}`, {
    volumes: [{ name, secret: { secretName } }],
    mounts: keys.map((key) => ({
      name,
      mountPath: `${PRIVATE_DIR}/secret/${volume}/${key}`,
      subPath: key,
      readOnly: true,
    })),
  });
}
