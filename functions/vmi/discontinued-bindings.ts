import type { VirtualMachineInstance } from '../core/objects.ts';
import type { Interface } from './vmi-types.ts';

const DISCONTINUED: readonly (keyof Interface)[] = ['slirp', 'macvtap', 'passt'];

/** One line for each interface that uses a network binding which no longer exists (vmi.md 6.4, check 10). */
export function discontinuedBindings(vmi: VirtualMachineInstance): readonly string[] {
  return (vmi.spec.domain.devices?.interfaces ?? []).flatMap((iface, index) =>
    DISCONTINUED.filter((binding) => iface[binding] !== undefined).map(
      (binding) =>
        `FieldValueInvalid: network binding ${binding} is discontinued (spec.domain.devices.interfaces[${index}].${binding})`,
    ),
  );
}
