import type { V1Interface } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { KubeVirtConfiguration } from '../../core/newer-fields.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';

type Spec = VirtualMachineInstance['spec'];

export type Networked =
  | { readonly type: 'networked'; readonly spec: Spec }
  | { readonly type: 'error'; readonly message: string };

/** The pod network for a VMI that names no network and no interface, unless it wants none (vm.md 5.10, step 12). */
export function withDefaultNetwork(spec: Spec, configuration: KubeVirtConfiguration): Networked {
  const { domain, networks = [] } = spec;
  const devices = domain?.devices;
  const named = networks.length > 0 || (devices?.interfaces?.length ?? 0) > 0;
  if (devices?.autoattachPodInterface === false || named) return { type: 'networked', spec };

  const chosen = defaultInterfaces(configuration);
  if (chosen.type === 'error') return chosen;
  const networked = {
    ...spec,
    domain: { ...domain, devices: { ...devices, interfaces: chosen.interfaces } },
    networks: [{ name: 'default', pod: {} }],
  };
  return { type: 'networked', spec: networked };
}

type Chosen =
  | { readonly type: 'chosen'; readonly interfaces: V1Interface[] }
  | { readonly type: 'error'; readonly message: string };

function defaultInterfaces({ network }: KubeVirtConfiguration): Chosen {
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
