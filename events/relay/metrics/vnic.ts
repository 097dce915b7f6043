import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';

type Spec = VirtualMachineInstance['spec'];
type Interface = NonNullable<NonNullable<Spec['domain']['devices']>['interfaces']>[number];

/** One interface of a guest as `kubevirt_vmi_vnic_info` and `kubevirt_vm_vnic_info` tell of it. */
export interface Vnic {
  readonly vnic_name: string;
  readonly binding_type: string;
  readonly network: string;
  readonly binding_name: string;
  readonly model: string;
}

export const vnicLabels = [
  'name',
  'namespace',
  'vnic_name',
  'binding_type',
  'network',
  'binding_name',
  'model',
] as const;

/** Interfaces that have a network of their name, the pod's or a secondary one (runtime.md 12.6, "vnic"). */
export function vnicsOf(spec: Spec | undefined): Vnic[] {
  return (spec?.domain?.devices?.interfaces ?? []).flatMap((nic) => {
    const network = spec?.networks?.find((n) => n.name === nic.name);
    const networkName = network?.multus?.networkName ?? (network?.pod === undefined ? undefined : 'pod networking');
    if (networkName === undefined) return [];
    const [binding_type, binding_name] = bindingOf(nic);
    return [{ vnic_name: nic.name, binding_type, network: networkName, binding_name, model: nic.model || '<none>' }];
  });
}

function bindingOf(nic: Interface): readonly [type: string, name: string] {
  if (nic.masquerade !== undefined) return ['core', 'masquerade'];
  if (nic.bridge !== undefined) return ['core', 'bridge'];
  if (nic.sriov !== undefined) return ['core', 'sriov'];
  return nic.binding === undefined ? ['', ''] : ['plugin', nic.binding.name];
}
