/** What rendering looks at beside claims, quotas and the namespace (launcher-pod.md 1.2), for the reads of its callers. */
import { keyFor } from '../core/object-index.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { attachmentKey } from './network/attachment-key.ts';
import { attempt } from './render-result.ts';
import { annotatedSidecars } from './sidecars/hook-sidecar.ts';
import { sidecarConfigMapNames } from './sidecars/sidecar-volumes.ts';

/** Keys of the definitions behind the VMI's Multus networks, each once. */
export function networkAttachmentKeys(vmi: VirtualMachineInstance): readonly string[] {
  const keys = (vmi.spec.networks ?? []).flatMap(({ multus }) => {
    if ((multus?.networkName ?? '') === '') return [];
    const { namespace, name } = attachmentKey(multus?.networkName ?? '', vmi);
    return [keyFor(namespace, name)];
  });
  return [...new Set(keys)];
}

/** Keys of the ConfigMaps that hook sidecars name, each once. An annotation that cannot be read is rendering's to refuse. */
export function sidecarConfigMapKeys(vmi: VirtualMachineInstance): readonly string[] {
  const sidecars = attempt(() => annotatedSidecars(vmi));
  if (sidecars.type === 'error') return [];
  const names = sidecarConfigMapNames(sidecars.value).filter((name) => name !== '');
  return [...new Set(names)].map((name) => keyFor(vmi.metadata.namespace, name));
}
