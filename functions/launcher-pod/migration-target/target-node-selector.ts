/** Which nodes a migration target may go to (launcher-pod.md 16.4, steps 2, 4 and 5). */
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Strings } from '../pod-types.ts';
import { RenderError } from '../render-error.ts';
import type { Migration } from './migration.ts';
import { type MigrationSource, sourceNodeLabels } from './migration-source.ts';

const CPU_FEATURE = 'cpu-feature.node.kubevirt.io/';
const CPU_MODEL = 'cpu-model-migration.node.kubevirt.io/';
const CPU_VENDOR = 'cpu-vendor.node.kubevirt.io/';
const HOST_MODEL_FEATURE = 'host-model-required-features.node.kubevirt.io/';
const HOST_MODEL = 'host-model-cpu.node.kubevirt.io/';

/** @throws RenderError `source-node-not-found`, `host-model-unknown` */
export function targetNodeSelector(
  selector: Strings,
  vmi: VirtualMachineInstance,
  migration: Migration,
  source: MigrationSource,
): Strings {
  const hostModel = vmi.spec.domain.cpu?.model === 'host-model' ? hostModelSelector(vmi, source) : {};
  const placed = { ...migration.spec.addedNodeSelector, ...selector, ...hostModel };
  if (Object.keys(placed).some((key) => key.startsWith(CPU_VENDOR))) return placed;
  const vendor = Object.keys(sourceNodeLabels(vmi, source)).find((key) => key.startsWith(CPU_VENDOR));
  return vendor === undefined ? placed : { ...placed, [vendor]: 'true' };
}

/** The model that the guest got from its first node: as its present pod demands it, else as that node describes itself. */
function hostModelSelector(vmi: VirtualMachineInstance, source: MigrationSource): Strings {
  const demanded = source.type === 'local' ? entriesFor([CPU_FEATURE, CPU_MODEL], source.pod.spec.nodeSelector) : [];
  if (demanded.length > 0) return Object.fromEntries(demanded);

  const labels = Object.entries(sourceNodeLabels(vmi, source));
  if (!labels.some(([key]) => key.startsWith(HOST_MODEL))) throw new RenderError({ type: 'host-model-unknown' });
  const translated = labels.flatMap(([key, value]): [string, string][] => {
    if (key.startsWith(HOST_MODEL_FEATURE)) return [[CPU_FEATURE + key.slice(HOST_MODEL_FEATURE.length), value]];
    if (key.startsWith(HOST_MODEL)) return [[CPU_MODEL + key.slice(HOST_MODEL.length), value]];
    return [];
  });
  return Object.fromEntries(translated);
}

function entriesFor(parts: readonly string[], selector: Strings | undefined): readonly [string, string][] {
  return Object.entries(selector ?? {}).filter(([key]) => parts.some((part) => key.includes(part)));
}
