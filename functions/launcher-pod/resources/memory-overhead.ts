/** Memory that a VMI's pod needs beside the guest's (launcher-pod.md 11). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { formatQuantity } from '../../core/quantity/format.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import { interfacesOf, pluginNamesInUse, registeredPlugin } from '../network/binding-plugins.ts';
import { isDedicatedOrGuaranteed, vcpuCount } from '../predicates/cpu.ts';
import { hasTpmDevice, usesVfio } from '../predicates/devices.ts';
import { isSev } from '../predicates/launch-security.ts';
import { volumesOf } from '../predicates/storage.ts';
import { type Reason, reason } from '../reason.ts';
import { parseDecimal } from './decimal.ts';

export const OVERHEAD_ANNOTATION = 'kubevirt.io/memory-overhead-bytes';

const Mi = 1024n * 1024n;

/** One reason for memory beside the guest's. */
export interface OverheadTerm {
  readonly name: string;
  readonly bytes: bigint;
}

export interface MemoryOverhead {
  /** The sum of the terms. */
  readonly total: Quantity;
  /** Those that are not zero. */
  readonly terms: readonly OverheadTerm[];
}

/** "Why does this pod ask for that much memory": the guest's, and these terms. */
export function memoryOverhead(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): MemoryOverhead {
  const pageTables = pageTableBytes(vmi);
  const multiplied = [
    term('page tables: the memory request / 512', pageTables),
    ...hypervisorTerms(vmi, configuration),
  ];
  const terms = [...multiplied, ...ratioTerms(sum(multiplied), configuration), ...networkTerms(vmi, configuration)];
  const total = wholeQuantity(sum(terms), pageTables === 0n ? 'binary' : 'decimal');
  return { total, terms: terms.filter((t) => t.bytes !== 0n) };
}

/** The terms, beside the annotation that holds their sum. */
export function overheadReason({ terms }: MemoryOverhead): Reason {
  const lines = terms.map(({ name, bytes }) => `${formatQuantity(wholeQuantity(bytes, 'binary'))} ${name}`);
  return reason(['metadata', 'annotations', OVERHEAD_ANNOTATION], 'memory overhead in bytes, the sum of', ...lines);
}

/** Row 1, from the memory request as the VMI gives it, not from the guest's memory. */
function pageTableBytes(vmi: VirtualMachineInstance): bigint {
  return ceilToThousands(wholeOf(vmi.spec.domain.resources?.requests?.['memory'])) / 512n;
}

/** Rows 2 to 17. */
function hypervisorTerms(vmi: VirtualMachineInstance, { process }: ClusterConfiguration): readonly OverheadTerm[] {
  const { devices, memory } = vmi.spec.domain;
  const vcpus = vcpusFor(vmi);
  const architecture = vmi.spec.architecture || process.clusterArchitecture;
  const metrics = volumesOf(vmi).some((v) => v.downwardMetrics !== undefined);
  const execProbes = [vmi.spec.livenessProbe, vmi.spec.readinessProbe].filter((p) => p?.exec !== undefined).length;
  return [
    term('launcher monitor', 25n * Mi),
    term('launcher', 100n * Mi),
    term('virtlogd', 25n * Mi),
    term('virtqemud', 40n * Mi),
    term('QEMU', 50n * Mi),
    term(`vCPUs: ${vcpus} x 8Mi`, 8n * Mi * vcpus),
    term('IO thread', 8n * Mi),
    ...when(devices?.autoattachGraphicsDevice !== false, 'graphics device', 32n * Mi),
    ...when(architecture === 'arm64', 'firmware of arm64', 128n * Mi),
    ...when(usesVfio(vmi), 'devices of the node through VFIO', 1024n * Mi),
    ...when(metrics, 'downward metrics', Mi),
    ...when(execProbes > 0, `exec probes: 100Mi + ${execProbes} x 10Mi`, 100n * Mi + 10n * Mi * BigInt(execProbes)),
    ...when(isSev(vmi), 'SEV', 256n * Mi),
    ...when(hasTpmDevice(vmi), 'TPM', 53n * Mi),
    ...when(isDedicatedOrGuaranteed(vmi), 'dedicated CPUs or class Guaranteed', 100n * Mi),
    term('memory.reservedOverhead.addedOverhead', wholeOf(memory?.reservedOverhead?.addedOverhead)),
  ];
}

/** Row 7: by the topology, else by the CPU limit, else by the CPU request; at least one. */
function vcpusFor(vmi: VirtualMachineInstance): bigint {
  const { cpu, resources } = vmi.spec.domain;
  const count =
    cpu === undefined ? wholeOf(resources?.limits?.['cpu'] ?? resources?.requests?.['cpu']) : BigInt(vcpuCount(vmi));
  return count < 1n ? 1n : count;
}

/**
 * Row 18: what the terms before it grow by; an unreadable ratio is ignored. In floating point, as the original reckons: exact
 * decimals would come to 1000 bytes more for a ratio such as 1.4.
 */
function ratioTerms(bytes: bigint, configuration: ClusterConfiguration): readonly OverheadTerm[] {
  const text = configuration.kubevirt.additionalGuestMemoryOverheadRatio;
  const ratio = parseDecimal(text);
  if (ratio === undefined) return [];
  const more = 1000n * BigInt(Math.trunc(Number(ceilToThousands(bytes) / 1000n) * (ratio - 1)));
  return [term(`additionalGuestMemoryOverheadRatio ${text}`, more)];
}

/** Rows 19 and 20, which the ratio does not multiply. */
function networkTerms(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): readonly OverheadTerm[] {
  const passt = interfacesOf(vmi).some((i) => i.passtBinding !== undefined);
  const plugins = pluginNamesInUse(vmi).map((name) => {
    const overhead = registeredPlugin(configuration, name)?.computeResourceOverhead?.requests?.['memory'];
    return term(`network binding plugin ${name}`, wholeOf(overhead));
  });
  return [...when(passt, 'passt', 250n * Mi), ...plugins];
}

/** Whole units of a quantity, rounded up; 0 where there is none. */
function wholeOf(text: string | undefined): bigint {
  return text === undefined ? 0n : ceil(parseQuantity(text));
}

function ceilToThousands(bytes: bigint): bigint {
  return ((bytes + 999n) / 1000n) * 1000n;
}

function term(name: string, bytes: bigint): OverheadTerm {
  return { name, bytes };
}

function when(condition: boolean, name: string, bytes: bigint): readonly OverheadTerm[] {
  return condition ? [term(name, bytes)] : [];
}

function sum(terms: readonly OverheadTerm[]): bigint {
  return terms.reduce((total, { bytes }) => total + bytes, 0n);
}
