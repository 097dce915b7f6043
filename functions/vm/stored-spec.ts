import type { ControllerRevision, VirtualMachine } from '../core/objects.ts';

/** The VM's spec as a start revision holds it; none, if it holds something else (vm.md 9.3). */
export function storedSpec(revision: ControllerRevision): VirtualMachine['spec'] | undefined {
  const data = revision.data as { spec?: VirtualMachine['spec'] } | null | undefined;
  return typeof data?.spec === 'object' && data.spec !== null ? data.spec : undefined;
}
