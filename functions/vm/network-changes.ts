import type { V1Interface, V1Network } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { isConditionStatus } from '../core/conditions.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';

type Spec = VirtualMachineInstance['spec'];

/** Whether what the VM wants of networks can't be had by the running VMI; additions and order are no matter (vm.md 11.4). */
export function needsRestartForNetworks(wanted: Spec, instance: VirtualMachineInstance): boolean {
  const running = instance.spec;
  const networks = wanted.networks ?? [];
  const interfaces = wanted.domain?.devices?.interfaces ?? [];
  const isMigratable = isConditionStatus(instance.status?.conditions, 'LiveMigratable');
  return (
    !(running.domain?.devices?.interfaces ?? []).every((i) => interfaces.some((w) => isSameInterface(w, i))) ||
    !(running.networks ?? []).every((n) => networks.some((w) => isSameNetwork(w, n, isMigratable))) ||
    (networks.some(isPodNetwork) && !(running.networks ?? []).some(isPodNetwork))
  );
}

function isSameInterface(a: V1Interface, b: V1Interface): boolean {
  return a.name === b.name && semanticallyEqual({ ...a, state: undefined }, { ...b, state: undefined }, 'Interface');
}

/** A migratable VMI can be moved to another network of the same kind. */
function isSameNetwork(a: V1Network, b: V1Network, isMigratable: boolean): boolean {
  if (a.name !== b.name) return false;
  const [x, y] = isMigratable ? [withoutNetworkName(a), withoutNetworkName(b)] : [a, b];
  return semanticallyEqual(x, y, 'Network');
}

function withoutNetworkName(network: V1Network): V1Network {
  return network.multus === undefined ? network : { ...network, multus: { ...network.multus, networkName: '' } };
}

function isPodNetwork(network: V1Network): boolean {
  return network.pod !== undefined && network.pod !== null;
}
