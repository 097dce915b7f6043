import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import { gateEnabled } from '../core/configuration/feature-gates.ts';

/** Name of the hypervisor, for the launcher's argument (launcher-pod.md 3.2). */
export function hypervisorName(configuration: ClusterConfiguration): string {
  if (!gateEnabled(configuration, 'ConfigurableHypervisor')) return 'kvm';
  return configuration.kubevirt.hypervisors?.[0]?.name || 'kvm';
}

/** The extended resource of its device. */
export function hypervisorResource(configuration: ClusterConfiguration): string {
  return `devices.kubevirt.io/${hypervisorName(configuration) === 'hyperv-direct' ? 'mshv' : 'kvm'}`;
}

export function usesEmulation(configuration: ClusterConfiguration): boolean {
  return configuration.kubevirt.developerConfiguration?.useEmulation === true;
}
