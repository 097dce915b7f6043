/**
 * What virt-api's admission fills into a VMI, as far as its pod depends on it (vm.md 10.7; launcher-pod.md 4 and 21). In a
 * cluster it has happened before virt-controller sees the object; a manifest comes without it.
 */
import type { ClusterConfiguration } from '../../functions/core/configuration/configuration.ts';
import { gateEnabled } from '../../functions/core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../functions/core/objects.ts';
import { ceil } from '../../functions/core/quantity/arithmetic.ts';
import { parseQuantity } from '../../functions/core/quantity/parse.ts';
import { QEMU_USER } from '../../functions/launcher-pod/predicates/user.ts';

export interface Admitted {
  readonly vmi: VirtualMachineInstance;
  /** `spec.architecture: amd64` */
  readonly filledIn: readonly string[];
}

type Domain = VirtualMachineInstance['spec']['domain'];

export function admitted(given: VirtualMachineInstance, configuration: ClusterConfiguration): Admitted {
  const vmi = structuredClone(given);
  const filledIn: string[] = [];
  const { spec } = vmi;
  const domain: Domain = (spec.domain ??= { devices: {} });
  const fill = <T extends object, K extends keyof T>(holder: T, member: K, path: string, value: T[K] | undefined) => {
    if (holder[member] !== undefined || value === undefined || value === '') return;
    holder[member] = value;
    filledIn.push(`${path}: ${String(value)}`);
  };

  fill(spec, 'architecture', 'spec.architecture', architectureOf(configuration));
  const { kubevirt } = configuration;
  const perArchitecture = kubevirt.architectureConfiguration?.[spec.architecture as 'amd64' | 'arm64' | 's390x'];
  fill(
    (domain.machine ??= {}),
    'type',
    'spec.domain.machine.type',
    kubevirt.machineType || perArchitecture?.machineType,
  );

  fillResources(domain, configuration, fill);
  const cpu = (domain.cpu ??= {});
  if (!cpu.cores && !cpu.sockets && !cpu.threads) {
    const { limits, requests } = domain.resources ?? {};
    const sockets = Number(wholeOf(limits?.['cpu'] ?? requests?.['cpu'] ?? '1')) || 1;
    Object.assign(cpu, { cores: 1, sockets, threads: 1 });
    filledIn.push(`spec.domain.cpu: 1 core, ${sockets} sockets, 1 thread`);
  }
  const anyModel = spec.architecture === 'arm64' ? 'host-passthrough' : 'host-model';
  fill(cpu, 'model', 'spec.domain.cpu.model', kubevirt.cpuModel || anyModel);
  fillPullPolicies(vmi, fill);
  if (!gateEnabled(configuration, 'Root') && !vmi.status?.runtimeUser) {
    vmi.status = { ...vmi.status, runtimeUser: QEMU_USER } as NonNullable<VirtualMachineInstance['status']>;
    filledIn.push(`status.runtimeUser: ${QEMU_USER}`);
  }
  return { vmi, filledIn };
}

type Fill = <T extends object, K extends keyof T>(holder: T, member: K, path: string, value: T[K] | undefined) => void;

function architectureOf({ defaultArchitecture, process }: ClusterConfiguration): string {
  return defaultArchitecture || process.clusterArchitecture;
}

/** CPU request from the limit or the cluster's setting; the guest's memory from what is asked for, or its huge pages. */
function fillResources(domain: Domain, { kubevirt }: ClusterConfiguration, fill: Fill): void {
  const { limits, requests } = domain.resources ?? {};
  const cpuRequest = domain.cpu?.dedicatedCpuPlacement === true ? undefined : kubevirt.cpuRequest;
  const cpu = limits?.['cpu'] ?? (cpuRequest === '100m' ? undefined : cpuRequest);
  if (cpu !== undefined && requests?.['cpu'] === undefined) {
    const resources = (domain.resources ??= {});
    fill((resources.requests ??= {}), 'cpu', 'spec.domain.resources.requests.cpu', cpu);
  }
  const guest = requests?.['memory'] ?? limits?.['memory'] ?? domain.memory?.hugepages?.pageSize;
  if (guest !== undefined) fill((domain.memory ??= {}), 'guest', 'spec.domain.memory.guest', guest);
}

function fillPullPolicies({ spec }: VirtualMachineInstance, fill: Fill): void {
  for (const [i, { containerDisk }] of (spec.volumes ?? []).entries()) {
    if (containerDisk === undefined) continue;
    const path = `spec.volumes[${i}].containerDisk.imagePullPolicy`;
    fill(containerDisk, 'imagePullPolicy', path, movesOn(containerDisk.image) ? 'Always' : 'IfNotPresent');
  }
}

/** Whether the image's name may mean another image tomorrow. */
function movesOn(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return image.endsWith(':latest') || !(name.includes(':') || name.includes('@'));
}

function wholeOf(text: string | undefined): bigint {
  return text === undefined ? 0n : ceil(parseQuantity(text));
}
