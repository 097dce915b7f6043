import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { VmiVolume, Volume } from '../pod-types.ts';
import { disksOf } from '../predicates/devices.ts';
import { volumesOf } from '../predicates/storage.ts';
import { present, unlessBlank } from '../present.ts';
import { PRIVATE_DIR } from './fixed-volumes.ts';
import { type VolumeParts, volumeParts } from './volume-parts.ts';

/** Secrets, config maps and downward API (launcher-pod.md 12.3): mounted in compute only where a disk is made of them. */
export function configVolumes(vmi: VirtualMachineInstance): VolumeParts {
  const volumes = volumesOf(vmi).flatMap((v) => podVolume(v) ?? []);
  const mounts = disksOf(vmi).flatMap((disk) => {
    const volume = volumesOf(vmi).find((v) => v.name === disk.name);
    const mountPath = volume === undefined ? undefined : configVolumePath(volume);
    return mountPath === undefined ? [] : [{ name: disk.name, mountPath, readOnly: true }];
  });
  return volumeParts('secret, config map or downward API among spec.volumes', { volumes, mounts });
}

/** Where the files of a config volume are, in compute and in its virtiofs container. */
export function configVolumePath(volume: VmiVolume): string | undefined {
  if (volume.secret !== undefined) return `${PRIVATE_DIR}/secret/${volume.name}`;
  if (volume.configMap !== undefined) return `${PRIVATE_DIR}/config-map/${volume.name}`;
  if (volume.downwardAPI !== undefined) return `${PRIVATE_DIR}/downwardapi/${volume.name}`;
  return undefined;
}

function podVolume({ name, secret, configMap, downwardAPI }: VmiVolume): Volume | undefined {
  if (secret !== undefined) {
    return { name, secret: present({ secretName: unlessBlank(secret.secretName), optional: secret.optional }) };
  }
  if (configMap !== undefined) {
    return { name, configMap: present({ name: unlessBlank(configMap.name), optional: configMap.optional }) };
  }
  if (downwardAPI !== undefined) return { name, downwardAPI: present({ items: downwardAPI.fields }) };
  return undefined;
}
