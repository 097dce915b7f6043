import type { JsonPatchOperation } from '../core/action.ts';
import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import { addOrReplace } from '../core/json-patch.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { synced } from '../rules/synced-metadata/synced.ts';
import { annotation, label } from './names.ts';
import { type PodPatch, podJsonPatch } from './pod-patch.ts';
import { VELERO_KEYS, veleroHooks } from './velero-hooks.ts';

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
