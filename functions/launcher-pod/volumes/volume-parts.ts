import type { Volume, VolumeDevice, VolumeMount } from '../pod-types.ts';
import { type Reason, reason } from '../reason.ts';

/** What one concern adds to the pod's volumes and to the compute container. */
export interface VolumeParts {
  readonly volumes: readonly Volume[];
  /** Mounts of the compute container. */
  readonly mounts: readonly VolumeMount[];
  /** Block devices of the compute container. */
  readonly devices: readonly VolumeDevice[];
  /** Why the volumes are there. */
  readonly reasons: readonly Reason[];
}

export const NO_VOLUMES: VolumeParts = { volumes: [], mounts: [], devices: [], reasons: [] };

export function volumeParts(because: string, parts: Partial<Omit<VolumeParts, 'reasons'>>): VolumeParts {
  const reasons = parts.volumes?.map((v) => reason(['spec', 'volumes', v.name], because)) ?? [];
  return { ...NO_VOLUMES, ...parts, reasons };
}

/** All parts, in the given order. */
export function joinVolumeParts(...parts: readonly VolumeParts[]): VolumeParts {
  return {
    volumes: parts.flatMap((p) => p.volumes),
    mounts: parts.flatMap((p) => p.mounts),
    devices: parts.flatMap((p) => p.devices),
    reasons: parts.flatMap((p) => p.reasons),
  };
}

export function emptyDir(name: string): Volume {
  return { name, emptyDir: {} };
}
