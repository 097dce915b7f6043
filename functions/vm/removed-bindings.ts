import type { V1Interface } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { VirtualMachineInstance } from '../core/objects.ts';

const REMOVED: readonly (keyof V1Interface)[] = ['slirp', 'passt', 'macvtap'];

/** `<interface>: <binding>` for each use of a network binding that no longer exists (vm.md 5.10, step 14). */
export function removedBindings({ spec }: VirtualMachineInstance): readonly string[] {
  return (spec.domain.devices?.interfaces ?? []).flatMap((i) =>
    REMOVED.filter((binding) => i[binding] !== undefined && i[binding] !== null).map((b) => `${i.name}: ${b}`),
  );
}
