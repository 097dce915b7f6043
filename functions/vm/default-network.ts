import type { V1Interface, V1KubeVirtConfiguration } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { VirtualMachineInstance } from '../core/objects.ts';

export type Networked =
  | { readonly type: 'networked'; readonly instance: VirtualMachineInstance }
  | { readonly type: 'error'; readonly message: string };

/** The pod network for a VMI that names no network and no interface, unless it wants none (vm.md 5.10, step 12). */
export function addDefaultNetwork(instance: VirtualMachineInstance, configuration: V1KubeVirtConfiguration): Networked {
  const { domain, networks = [] } = instance.spec;
  const { devices } = domain;
  const named = networks.length > 0 || (devices?.interfaces?.length ?? 0) > 0;
  if (devices?.autoattachPodInterface === false || named) return { type: 'networked', instance };

  const chosen = defaultInterfaces(configuration);
  if (chosen.type === 'error') return chosen;
  const spec = {
    ...instance.spec,
    domain: { ...domain, devices: { ...devices, interfaces: chosen.interfaces } },
    networks: [{ name: 'default', pod: {} }],
  };
  return { type: 'networked', instance: { ...instance, spec } };
}

type Chosen =
  | { readonly type: 'chosen'; readonly interfaces: V1Interface[] }
  | { readonly type: 'error'; readonly message: string };

function defaultInterfaces({ network }: V1KubeVirtConfiguration): Chosen {
  switch (network?.defaultNetworkInterface ?? 'bridge') {
    case '':
    case 'bridge':
      if (network?.permitBridgeInterfaceOnPodNetwork === false) {
        return { type: 'error', message: 'bridge interfaces are not permitted on the pod network' };
      }
      return { type: 'chosen', interfaces: [{ name: 'default', bridge: {} }] };
    case 'masquerade':
      return { type: 'chosen', interfaces: [{ name: 'default', masquerade: {} }] };
    case 'slirp':
      return { type: 'error', message: 'the default interface slirp is no longer supported' };
    default:
      return { type: 'chosen', interfaces: [] };
  }
}
