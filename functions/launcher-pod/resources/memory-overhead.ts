import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import { interfacesOf, pluginNamesInUse, registeredPlugin } from '../network/binding-plugins.ts';
import { isDedicatedOrGuaranteed, vcpuCount } from '../predicates/cpu.ts';
import { hasTpmDevice, usesVfio } from '../predicates/devices.ts';
import { isSev } from '../predicates/launch-security.ts';
import { volumesOf } from '../predicates/storage.ts';
import { parseDecimal } from './decimal.ts';

const Mi = 1024n * 1024n;

/** Launcher monitor, launcher, virtlogd, virtqemud, QEMU (rows 2 to 6). */
const PROCESSES_BYTES = (25n + 100n + 25n + 40n + 50n) * Mi;

/** Memory that a VMI's pod needs beside the guest's (launcher-pod.md 11). */
export function memoryOverhead(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): Quantity {
  const pageTables = pageTableBytes(vmi);
  const scaled = withRatio(pageTables + hypervisorBytes(vmi, configuration), configuration);
  return wholeQuantity(scaled + networkBytes(vmi, configuration), pageTables === 0n ? 'binary' : 'decimal');
}

/** Row 1, from the memory request as the VMI gives it, not from the guest's memory. */
function pageTableBytes(vmi: VirtualMachineInstance): bigint {
  return ceilToThousands(wholeOf(vmi.spec.domain.resources?.requests?.['memory'])) / 512n;
}

/** Rows 2 to 17. */
function hypervisorBytes(vmi: VirtualMachineInstance, { process }: ClusterConfiguration): bigint {
  const { devices, memory } = vmi.spec.domain;
  const architecture = vmi.spec.architecture || process.clusterArchitecture;
  const execProbes = [vmi.spec.livenessProbe, vmi.spec.readinessProbe].filter((p) => p?.exec !== undefined).length;
  const ioThread = 8n * Mi;
  return sum(
    PROCESSES_BYTES,
    8n * Mi * vcpusFor(vmi),
    ioThread,
    when(devices?.autoattachGraphicsDevice !== false, 32n * Mi),
    when(architecture === 'arm64', 128n * Mi),
    when(usesVfio(vmi), 1024n * Mi),
    when(
      volumesOf(vmi).some((v) => v.downwardMetrics !== undefined),
      Mi,
    ),
    when(execProbes > 0, 100n * Mi + 10n * Mi * BigInt(execProbes)),
    when(isSev(vmi), 256n * Mi),
    when(hasTpmDevice(vmi), 53n * Mi),
    when(isDedicatedOrGuaranteed(vmi), 100n * Mi),
    wholeOf(memory?.reservedOverhead?.addedOverhead),
  );
}

/** Row 7: by the topology, else by the CPU limit, else by the CPU request; at least one. */
function vcpusFor(vmi: VirtualMachineInstance): bigint {
  const { cpu, resources } = vmi.spec.domain;
  const count =
    cpu === undefined ? wholeOf(resources?.limits?.['cpu'] ?? resources?.requests?.['cpu']) : BigInt(vcpuCount(vmi));
  return count < 1n ? 1n : count;
}

/** Row 18; an unreadable ratio is ignored. */
function withRatio(bytes: bigint, configuration: ClusterConfiguration): bigint {
  const ratio = parseDecimal(configuration.kubevirt.additionalGuestMemoryOverheadRatio);
  if (ratio === undefined) return bytes;
  return bytes + 1000n * BigInt(Math.trunc(Number(ceilToThousands(bytes) / 1000n) * (ratio - 1)));
}

/** Rows 19 and 20, which the ratio does not multiply. */
function networkBytes(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): bigint {
  const passt = interfacesOf(vmi).some((i) => i.passtBinding !== undefined);
  const plugins = pluginNamesInUse(vmi).map((name) =>
    wholeOf(registeredPlugin(configuration, name)?.computeResourceOverhead?.requests?.['memory']),
  );
  return sum(when(passt, 250n * Mi), ...plugins);
}

/** Whole units of a quantity, rounded up; 0 where there is none. */
function wholeOf(text: string | undefined): bigint {
  return text === undefined ? 0n : ceil(parseQuantity(text));
}

function ceilToThousands(bytes: bigint): bigint {
  return ((bytes + 999n) / 1000n) * 1000n;
}

function when(condition: boolean, bytes: bigint): bigint {
  return condition ? bytes : 0n;
}

function sum(...terms: readonly bigint[]): bigint {
  return terms.reduce((total, term) => total + term, 0n);
}
