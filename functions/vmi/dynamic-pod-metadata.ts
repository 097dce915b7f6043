import type { JsonPatchOperation } from '../core/action.ts';
import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import { addOrReplace } from '../core/json-patch.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { annotation, label } from './names.ts';
import { type PodPatch, podJsonPatch } from './pod-patch.ts';
import { VELERO_KEYS, veleroHooks } from './velero-hooks.ts';

type Strings = Readonly<Record<string, string>>;

/** Carries labels and annotations that may change during the VMI's life over to its pod (vmi.md 8.5). */
export function dynamicPodMetadata(
  vmi: VirtualMachineInstance,
  pod: Pod,
  configuration: ClusterConfiguration,
): PodPatch | undefined {
  const { additionalLauncherLabelsSync, additionalLauncherAnnotationsSync } = configuration.process;
  const labels = synced(vmi.metadata.labels ?? {}, pod.metadata.labels, [
    label.nodeName,
    label.outdatedLauncherImage,
    ...additionalLauncherLabelsSync,
  ]);
  const source = { ...vmi.metadata.annotations, ...veleroHooks(vmi, configuration) };
  const annotations = synced(source, pod.metadata.annotations, [
    annotation.evict,
    annotation.preferNoEviction,
    ...additionalLauncherAnnotationsSync,
    ...VELERO_KEYS,
  ]);
  const operations: JsonPatchOperation[] = [];
  if (labels !== undefined) operations.push(...addOrReplace('/metadata/labels', pod.metadata.labels, labels));
  if (annotations !== undefined) {
    operations.push(...addOrReplace('/metadata/annotations', pod.metadata.annotations, annotations));
  }
  if (operations.length === 0) return undefined;
  const metadata = {
    ...pod.metadata,
    labels: labels ?? pod.metadata.labels,
    annotations: annotations ?? pod.metadata.annotations,
  };
  return podJsonPatch('pod metadata', pod, operations, { ...pod, metadata });
}

/** The pod's map with the keys of the patterns as in the source; `undefined`: it is so already. */
function synced(
  source: Strings,
  target: Strings | undefined,
  patterns: readonly string[],
): Record<string, string> | undefined {
  const result: Record<string, string> = { ...target };
  let changed = false;
  for (const key of keysOf(patterns, source, result)) {
    const wanted = source[key];
    if (result[key] === wanted) continue;
    changed = true;
    if (wanted === undefined) delete result[key];
    else result[key] = wanted;
  }
  return changed ? result : undefined;
}

/** A pattern is a key, or a prefix with `*` behind it; an empty one of either is ignored. */
function keysOf(patterns: readonly string[], ...maps: readonly Strings[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const pattern of patterns) {
    if (!pattern.endsWith('*')) {
      if (pattern !== '') keys.add(pattern);
      continue;
    }
    const prefix = pattern.slice(0, -1);
    if (prefix === '') continue;
    for (const map of maps) for (const key of Object.keys(map)) if (key.startsWith(prefix)) keys.add(key);
  }
  return keys;
}
