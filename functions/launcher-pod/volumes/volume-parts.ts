import type { Volume, VolumeDevice, VolumeMount } from '../pod-types.ts';

/** What one concern adds to the pod's volumes and to the compute container. */
export interface VolumeParts {
  readonly volumes: readonly Volume[];
  /** Mounts of the compute container. */
  readonly mounts: readonly VolumeMount[];
  /** Block devices of the compute container. */
  readonly devices: readonly VolumeDevice[];
}

export function volumeParts(parts: Partial<VolumeParts>): VolumeParts {
  return { volumes: [], mounts: [], devices: [], ...parts };
}

/** All parts, in the given order. */
export function joinVolumeParts(...parts: readonly VolumeParts[]): VolumeParts {
  return {
    volumes: parts.flatMap((p) => p.volumes),
    mounts: parts.flatMap((p) => p.mounts),
    devices: parts.flatMap((p) => p.devices),
  };
}

export function emptyDir(name: string): Volume {
  return { name, emptyDir: {} };
}
