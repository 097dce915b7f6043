import type { VirtualMachineInstance } from '../../core/objects.ts';

/** Which NetworkAttachmentDefinition a reference means: `ns/name`, or `name` in the VMI's namespace. */
export function attachmentKey(reference: string, vmi: VirtualMachineInstance): { name: string; namespace: string } {
  const slash = reference.indexOf('/');
  return slash < 0
    ? { name: reference, namespace: vmi.metadata.namespace ?? '' }
    : { name: reference.slice(slash + 1), namespace: reference.slice(0, slash) };
}
