import { join } from 'node:path';
import type { Hypervisor } from './hypervisor.ts';
import { LibvirtHypervisor } from './libvirt/libvirt-hypervisor.ts';
import { daemonMode, type HypervisorChoice, probeHypervisor } from './probe.ts';
import { SimulatedHypervisor } from './simulated/simulated-hypervisor.ts';

export interface OpenedHypervisor {
  readonly hypervisor: Hypervisor;
  /** Why it is not a better one. */
  readonly reason?: string;
}

/** The best hypervisor that works here; `libvirt` as the choice throws rather than simulate. */
export async function openHypervisor(dataFolder: string, choice: HypervisorChoice): Promise<OpenedHypervisor> {
  const { kind, reason } = await probeHypervisor({ dataFolder, choice });
  if (kind === 'simulated') return { hypervisor: simulated(dataFolder), reason };
  try {
    const type = kind === 'libvirt-kvm' ? 'kvm' : 'qemu';
    return { hypervisor: await LibvirtHypervisor.open(type, daemonMode(), join(dataFolder, 'libvirt')), reason };
  } catch (error) {
    if (choice === 'libvirt') throw error;
    return { hypervisor: simulated(dataFolder), reason: error instanceof Error ? error.message : String(error) };
  }
}

function simulated(dataFolder: string): SimulatedHypervisor {
  return new SimulatedHypervisor(join(dataFolder, 'simulated'));
}
