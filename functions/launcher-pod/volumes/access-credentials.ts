import type { VirtualMachineInstance } from '../../core/objects.ts';
import { PRIVATE_DIR } from './fixed-volumes.ts';
import { type VolumeParts, volumeParts } from './volume-parts.ts';

/** Secrets with keys and passwords that the guest agent brings into the guest (launcher-pod.md 12.5); not deduplicated. */
export function accessCredentialVolumes(vmi: VirtualMachineInstance): VolumeParts {
  const secrets = (vmi.spec.accessCredentials ?? []).flatMap((credential) => {
    const name =
      credential.sshPublicKey?.source?.secret?.secretName || credential.userPassword?.source?.secret?.secretName;
    return name === undefined || name === '' ? [] : [name];
  });
  return volumeParts('secret that spec.accessCredentials names', {
    volumes: secrets.map((secretName) => ({ name: volumeName(secretName), secret: { secretName } })),
    mounts: secrets.map((secretName) => ({
      name: volumeName(secretName),
      mountPath: `${PRIVATE_DIR}/secret/${volumeName(secretName)}`,
      readOnly: true,
    })),
  });
}

function volumeName(secretName: string): string {
  return `${secretName}-access-cred`;
}
