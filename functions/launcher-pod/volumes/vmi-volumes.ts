import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import type { VmiVolume } from '../pod-types.ts';
import { hotplugVolumeNames, volumesOf } from '../predicates/storage.ts';
import { present, unlessBlank } from '../present.ts';
import { RenderError } from '../render-error.ts';
import { cloudInitParts } from './cloud-init.ts';
import { PRIVATE_DIR } from './fixed-volumes.ts';
import { hostDiskParts } from './host-disk.ts';
import { joinVolumeParts, NO_VOLUMES, type VolumeParts, volumeParts } from './volume-parts.ts';

/**
 * The disks of the VMI that the launcher pod mounts from its start (launcher-pod.md 12.4).
 *
 * @throws RenderError `pvc-not-found`, `sysprep-without-source`
 */
export function vmiVolumes(vmi: VirtualMachineInstance, claims: readonly PersistentVolumeClaim[]): VolumeParts {
  return joinVolumeParts(...launchVolumes(vmi).map((volume) => partsOf(volume, vmi, claims)));
}

/** Mount paths of file systems that several nodes share, in volume order (launcher-pod.md 9.2). */
export function sharedFilesystemPaths(
  vmi: VirtualMachineInstance,
  claims: readonly PersistentVolumeClaim[],
): readonly string[] {
  return launchVolumes(vmi).flatMap((volume) => {
    const source = claimSource(volume);
    if (source === undefined) return [];
    const claim = requiredClaim(source.claimName, vmi, claims);
    const shared = !isBlock(claim) && claim.spec.accessModes?.includes('ReadWriteMany') === true;
    return shared ? [diskPath(volume.name)] : [];
  });
}

function launchVolumes(vmi: VirtualMachineInstance): readonly VmiVolume[] {
  const hotplugged = hotplugVolumeNames(vmi);
  return volumesOf(vmi).filter((v) => !hotplugged.has(v.name));
}

function partsOf(
  volume: VmiVolume,
  vmi: VirtualMachineInstance,
  claims: readonly PersistentVolumeClaim[],
): VolumeParts {
  const source = claimSource(volume);
  if (source !== undefined) return claimParts(volume.name, source, requiredClaim(source.claimName, vmi, claims));
  if (volume.hostDisk !== undefined) return hostDiskParts(volume.name, volume.hostDisk, diskPath(volume.name));
  if (volume.downwardMetrics !== undefined) return downwardMetricsParts(volume.name);
  const cloudInit = volume.cloudInitNoCloud ?? volume.cloudInitConfigDrive;
  if (cloudInit !== undefined) return cloudInitParts(volume.name, cloudInit);
  if (volume.sysprep !== undefined) return sysprepParts(volume.name, volume.sysprep);
  return NO_VOLUMES;
}

interface ClaimSource {
  readonly claimName: string;
  readonly readOnly?: boolean;
}

function claimSource({ persistentVolumeClaim, dataVolume, ephemeral }: VmiVolume): ClaimSource | undefined {
  if (persistentVolumeClaim !== undefined) return persistentVolumeClaim;
  if (dataVolume !== undefined) return { claimName: dataVolume.name };
  if (ephemeral !== undefined) return ephemeral.persistentVolumeClaim;
  return undefined;
}

function requiredClaim(
  name: string,
  vmi: VirtualMachineInstance,
  claims: readonly PersistentVolumeClaim[],
): PersistentVolumeClaim {
  const claim = claims.find((c) => c.metadata.name === name && c.metadata.namespace === vmi.metadata.namespace);
  if (claim === undefined) throw new RenderError({ type: 'pvc-not-found', claimName: name });
  return claim;
}

function isBlock(claim: PersistentVolumeClaim): boolean {
  return claim.spec.volumeMode === 'Block';
}

function claimParts(name: string, { claimName, readOnly }: ClaimSource, claim: PersistentVolumeClaim): VolumeParts {
  const persistentVolumeClaim = present({ claimName, readOnly: readOnly === true ? true : undefined });
  const volumes = [{ name, persistentVolumeClaim }];
  return isBlock(claim)
    ? volumeParts(`claim ${claimName}, a block device`, { volumes, devices: [{ name, devicePath: `/dev/${name}` }] })
    : volumeParts(`claim ${claimName}, a file system`, { volumes, mounts: [{ name, mountPath: diskPath(name) }] });
}

function diskPath(volume: string): string {
  return `${PRIVATE_DIR}/vmi-disks/${volume}`;
}

function downwardMetricsParts(name: string): VolumeParts {
  return volumeParts('metrics of the node for the guest', {
    volumes: [{ name, emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } }],
    mounts: [{ name, mountPath: `${PRIVATE_DIR}/downwardmetric-disk` }],
  });
}

/** Answer files of Windows: from a secret, else from a config map. */
function sysprepParts(name: string, { secret, configMap }: NonNullable<VmiVolume['sysprep']>): VolumeParts {
  const mounts = [{ name, mountPath: `${PRIVATE_DIR}/sysprep/${name}`, readOnly: true }];
  if (secret !== undefined) {
    const volume = { name, secret: present({ secretName: unlessBlank(secret.name) }) };
    return volumeParts('answer files of sysprep, from a secret', { volumes: [volume], mounts });
  }
  if (configMap !== undefined) {
    const volume = { name, configMap: present({ name: unlessBlank(configMap.name) }) };
    return volumeParts('answer files of sysprep, from a config map', { volumes: [volume], mounts });
  }
  throw new RenderError({ type: 'sysprep-without-source', volume: name });
}
