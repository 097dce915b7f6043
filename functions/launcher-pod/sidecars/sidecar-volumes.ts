import type { KubeObject, VirtualMachineInstance } from '../../core/objects.ts';
import type { Volume, VolumeMount } from '../pod-types.ts';
import { RenderError } from '../render-error.ts';
import { type VolumeParts, volumeParts } from '../volumes/volume-parts.ts';
import type { HookSidecar } from './hook-sidecar.ts';

/** Scripts are executed from the volume: `rwxr-xr-x`. */
const EXECUTABLE = 0o755;

/** ConfigMaps of the VMI's namespace that must be there for its sidecars. */
export function sidecarConfigMapNames(sidecars: readonly HookSidecar[]): readonly string[] {
  return sidecars.flatMap((s) => (s.configMap === undefined ? [] : [s.configMap.name ?? '']));
}

/** @throws RenderError `sidecar-config-map-not-found` */
export function checkSidecarConfigMaps(
  vmi: VirtualMachineInstance,
  sidecars: readonly HookSidecar[],
  configMaps: readonly KubeObject[],
): void {
  const own = configMaps.filter((c) => c.metadata.namespace === vmi.metadata.namespace);
  const there = new Set(own.map((c) => c.metadata.name));
  for (const name of sidecarConfigMapNames(sidecars)) {
    if (!there.has(name)) throw new RenderError({ type: 'sidecar-config-map-not-found', name });
  }
}

/** Volumes of sidecars, at the end of the pod's, not deduplicated (launcher-pod.md 13.6). */
export function sidecarVolumes(sidecars: readonly HookSidecar[]): VolumeParts {
  const volumes: Volume[] = [];
  const mounts: VolumeMount[] = [];
  for (const { configMap, pvc } of sidecars) {
    if (configMap !== undefined) {
      const { name = '' } = configMap;
      volumes.push({ name, configMap: { name, defaultMode: EXECUTABLE } });
    }
    if (pvc !== undefined) {
      const { name = '', sharedComputePath = '' } = pvc;
      volumes.push({ name, persistentVolumeClaim: { claimName: name } });
      if (sharedComputePath !== '') mounts.push({ name, mountPath: sharedComputePath });
    }
  }
  return volumeParts('a hook sidecar asks for it', { volumes, mounts });
}
