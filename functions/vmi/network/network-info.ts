import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { Pod, VirtualMachineInstance } from '../../core/objects.ts';
import type { Interface } from '../vmi-types.ts';
import { multusStatusOf } from './multus-status.ts';
import { podInterfaceNames } from './networks.ts';

/** The value of `kubevirt.io/network-info`: devices of the interfaces whose binding needs to know them (vmi.md 11.5). */
export function networkInfo(
  vmi: VirtualMachineInstance,
  pod: Pod,
  configuration: ClusterConfiguration['kubevirt'],
): string | undefined {
  const plugins = configuration.network?.binding ?? {};
  const needsDevice = (iface: Interface) =>
    iface.sriov !== undefined || plugins[iface.binding?.name ?? '']?.downwardAPI === 'device-info';
  const reported = multusStatusOf(pod);
  const names = podInterfaceNames(vmi.spec.networks ?? [], reported);
  const interfaces = (vmi.spec.domain.devices?.interfaces ?? []).filter(needsDevice).flatMap(({ name }) => {
    const status = reported.find((s) => s.interface !== undefined && s.interface === names.get(name));
    if (status === undefined) return [];
    return [
      {
        network: name,
        ...(status['device-info'] === undefined ? {} : { deviceInfo: status['device-info'] }),
        ...(status.mac === undefined || status.mac === '' ? {} : { mac: status.mac }),
        ...(status.mtu === undefined || status.mtu === 0 ? {} : { mtu: status.mtu }),
      },
    ];
  });
  if (interfaces.length === 0) return undefined;
  return JSON.stringify({ interfaces: interfaces.sort((a, b) => (a.network < b.network ? -1 : 1)) });
}
