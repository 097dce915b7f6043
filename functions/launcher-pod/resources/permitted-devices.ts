import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { type FeatureGate, gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { gpusOf, type HostDevice, hasClaimRequest, hostDevicesOf } from '../predicates/devices.ts';
import { RenderError } from '../render-error.ts';

/**
 * Where the cluster lists the devices that guests may have, the VMI's must be among them (launcher-pod.md 10.2, step 3).
 *
 * @throws RenderError `device-not-permitted`, with all of them
 */
export function checkPermittedDevices(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): void {
  const permitted = configuration.kubevirt.permittedHostDevices;
  if (permitted === undefined) return;
  const { pciHostDevices = [], mediatedDevices = [], usb = [] } = permitted;
  const allowed = new Set([...pciHostDevices, ...mediatedDevices, ...usb].map((d) => d.resourceName));
  const refused = (devices: readonly HostDevice[], gate: FeatureGate) =>
    devices
      .filter((d) => !(gateEnabled(configuration, gate) && hasClaimRequest(d)))
      .map((d) => d.deviceName ?? '')
      .filter((name) => !allowed.has(name));
  const devices = [...refused(gpusOf(vmi), 'GPUsWithDRA'), ...refused(hostDevicesOf(vmi), 'HostDevicesWithDRA')];
  if (devices.length > 0) throw new RenderError({ type: 'device-not-permitted', devices });
}
