import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { canonicalQuantity } from '../../core/quantity/quantity.ts';

type Spec = VirtualMachineInstance['spec'];
type Domain = Spec['domain'];

/** A cluster that says nothing of the request asks for this much, without writing it down. */
const UNWRITTEN_CPU_REQUEST = '100m';

/** A template's spec with what admission fills in where nothing is said (vm.md 10.7). The argument stays as it is. */
export function withTemplateDefaults(given: Spec, configuration: ClusterConfiguration): Spec {
  const spec = structuredClone(given);
  const domain = (spec.domain ??= { devices: {} });
  spec.architecture ||= configuration.defaultArchitecture || configuration.process.clusterArchitecture;
  const machineType = machineTypeFor(spec.architecture, configuration);
  if (machineType) (domain.machine ??= {}).type ||= machineType;
  fillCpuRequest(domain, configuration.kubevirt.cpuRequest ?? UNWRITTEN_CPU_REQUEST);
  fillGuestMemory(domain);
  fillTopology(domain);
  for (const { containerDisk } of spec.volumes ?? []) {
    if (containerDisk) containerDisk.imagePullPolicy ||= movesOn(containerDisk.image) ? 'Always' : 'IfNotPresent';
  }
  spec.evictionStrategy ??= configuration.kubevirt.evictionStrategy ?? 'None';
  return spec;
}

function machineTypeFor(architecture: string, { kubevirt }: ClusterConfiguration): string | undefined {
  const perArchitecture = kubevirt.architectureConfiguration?.[architecture as 'amd64' | 'arm64' | 's390x'];
  return kubevirt.machineType || perArchitecture?.machineType;
}

/** The limit, where there is one; the cluster's request, unless CPUs are dedicated. */
function fillCpuRequest(domain: Domain, cpuRequest: string): void {
  const { limits, requests } = domain.resources ?? {};
  if (requests?.['cpu'] !== undefined) return;
  const isWritten =
    canonicalQuantity(cpuRequest) !== UNWRITTEN_CPU_REQUEST && domain.cpu?.dedicatedCpuPlacement !== true;
  const cpu = limits?.['cpu'] ?? (isWritten ? cpuRequest : undefined);
  if (cpu !== undefined) domain.resources = { ...domain.resources, requests: { ...requests, cpu } };
}

function fillGuestMemory(domain: Domain): void {
  const { limits, requests } = domain.resources ?? {};
  const guest = requests?.['memory'] ?? limits?.['memory'] ?? domain.memory?.hugepages?.pageSize;
  if (guest !== undefined) (domain.memory ??= {}).guest ??= guest;
}

function fillTopology(domain: Domain): void {
  const cpu = (domain.cpu ??= {});
  if (cpu.cores || cpu.sockets || cpu.threads) return;
  const { limits, requests } = domain.resources ?? {};
  const wanted = parseQuantity(limits?.['cpu'] ?? requests?.['cpu'] ?? '1');
  Object.assign(cpu, { cores: 1, sockets: Number(ceil(wanted)) || 1, threads: 1 });
}

/** Whether the image's name may mean another image tomorrow. */
function movesOn(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return image.endsWith(':latest') || !(name.includes(':') || name.includes('@'));
}
