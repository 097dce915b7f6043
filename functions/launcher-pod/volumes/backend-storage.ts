import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import {
  hasPersistentEfi,
  hasPersistentTpm,
  needsBackendStorage,
  tracksChangedBlocks,
} from '../../rules/backend-storage/need.ts';
import { isNonRoot } from '../predicates/user.ts';
import { RenderError } from '../render-error.ts';
import { PRIVATE_DIR } from './fixed-volumes.ts';
import { emptyDir, NO_VOLUMES, type VolumeParts, volumeParts } from './volume-parts.ts';

const VOLUME = 'vm-state';

/**
 * TPM state, EFI variables and bitmaps of changed blocks on a claim (launcher-pod.md 12.6).
 *
 * @throws RenderError `backend-storage-not-found`
 */
export function backendStorageVolumes(
  vmi: VirtualMachineInstance,
  claim: PersistentVolumeClaim | undefined,
): VolumeParts {
  if (!needsBackendStorage(vmi)) return NO_VOLUMES;
  if (claim === undefined) throw new RenderError({ type: 'backend-storage-not-found' });
  const scratch = isNonRoot(vmi)
    ? [
        { name: 'private-libvirt', mountPath: `${PRIVATE_DIR}/libvirt` },
        { name: 'private-libvirt-qemu', mountPath: `${PRIVATE_DIR}/libvirt/qemu` },
      ]
    : [];
  return volumeParts(
    `state that outlives the pod: ${statePaths(vmi)
      .map(([subPath]) => subPath)
      .join(', ')}`,
    {
      volumes: [
        { name: VOLUME, persistentVolumeClaim: { claimName: claim.metadata.name } },
        ...scratch.map((s) => emptyDir(s.name)),
      ],
      mounts: [
        { name: VOLUME, mountPath: '/run/kubevirt-private/backend-storage-meta', subPath: 'meta' },
        ...scratch,
        ...statePaths(vmi).map(([subPath, mountPath]) => ({ name: VOLUME, mountPath, subPath })),
      ],
    },
  );
}

/** Sub-path on the claim, and where libvirt looks for it. */
function statePaths(vmi: VirtualMachineInstance): readonly (readonly [string, string])[] {
  const nonRoot = isNonRoot(vmi);
  const libvirt = nonRoot ? `${PRIVATE_DIR}/libvirt/qemu` : '/var/lib/libvirt/qemu';
  // As root, the TPM's state lies beside QEMU's directory, not in it.
  const tpm = nonRoot ? libvirt : '/var/lib/libvirt';
  const authority = `${nonRoot ? PRIVATE_DIR : ''}/var/lib/swtpm-localca`;
  return [
    ...(hasPersistentTpm(vmi)
      ? ([
          ['swtpm', `${tpm}/swtpm`],
          ['swtpm-localca', authority],
        ] as const)
      : []),
    ...(hasPersistentEfi(vmi) ? ([['nvram', `${libvirt}/nvram`]] as const) : []),
    ...(tracksChangedBlocks(vmi) ? ([['cbt', `${libvirt}/cbt`]] as const) : []),
  ];
}
