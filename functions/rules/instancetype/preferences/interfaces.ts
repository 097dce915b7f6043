import type { V1Interface } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { InstanceSpec, PreferenceSpec } from '../profile.ts';
import { fillZero, isPresent } from '../set-members.ts';

const BINDINGS: readonly (keyof V1Interface)[] = [
  'binding',
  'bridge',
  'macvtap',
  'masquerade',
  'passt',
  'passtBinding',
  'slirp',
  'sriov',
];

/** The model; and masquerade on the pod network, where no binding is chosen (vm.md 10.6). */
export function applyToInterface(
  draft: V1Interface,
  devices: NonNullable<PreferenceSpec['devices']>,
  networks: InstanceSpec['networks'],
): void {
  fillZero(draft, 'model', devices.preferredInterfaceModel);
  const wanted = devices.preferredInterfaceMasquerade;
  if (!isPresent(wanted) || BINDINGS.some((b) => isPresent(draft[b]))) return;
  if (isPresent(networks?.find((n) => n.name === draft.name)?.pod)) draft.masquerade = structuredClone(wanted);
}
