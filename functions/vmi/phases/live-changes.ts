/** Conditions that tell of changes which reach the guest by a live migration; added here, never removed (vmi.md 8.3). */
import { addCondition, hasCondition, updateCondition } from '../../core/conditions.ts';
import { timestamp } from '../../core/context.ts';
import { compare } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { setLabel } from '../labels.ts';
import { condition, label } from '../names.ts';
import type { StatusDraft } from '../status-draft.ts';
import { claimNameOf } from '../volumes/volume-claims.ts';

/** Running, step 5. */
export function showHotVcpuChange({ vmi }: StatusDraft): void {
  const { cpu } = vmi.spec.domain;
  const { currentCPUTopology } = vmi.status;
  if (currentCPUTopology === undefined || cpu === undefined || (cpu.maxSockets ?? 0) === 0) return;
  if (vcpus(cpu) === vcpus(currentCPUTopology)) return;
  vmi.status.conditions = addCondition(vmi.status.conditions, { type: condition.hotVcpuChange, status: 'True' });
}

function vcpus(topology: { cores?: number; sockets?: number; threads?: number }): number {
  const factors = [topology.cores, topology.sockets, topology.threads].filter((n) => n !== undefined && n !== 0);
  return factors.length === 0 ? 0 : factors.reduce<number>((product, n) => product * (n ?? 1), 1);
}

/** Running, step 6. A status that does not say what was requested counts as zero. */
export function showHotMemoryChange({ vmi, pass }: StatusDraft): void {
  const { guest, maxGuest } = vmi.spec.domain.memory ?? {};
  const { memory } = vmi.status;
  if (memory === undefined || guest === undefined || maxGuest === undefined) return;
  if (isSameQuantity(guest, memory.guestRequested ?? '0')) return;
  vmi.status.conditions = addCondition(vmi.status.conditions, { type: condition.hotMemoryChange, status: 'True' });
  const ratio = pass.context.configuration.kubevirt.additionalGuestMemoryOverheadRatio;
  if (ratio !== undefined) setLabel(vmi, label.memoryHotplugOverheadRatio, ratio);
}

function isSameQuantity(a: string, b: string): boolean {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  return left !== undefined && right !== undefined ? compare(left, right) === 0 : a === b;
}

/** Running, step 7. */
export function showVolumesChange({ vmi, pass }: StatusDraft): void {
  const migrated = vmi.status.migratedVolumes ?? [];
  if (migrated.length === 0 || hasCondition(vmi.status.conditions, condition.volumesChange)) return;
  const sources = new Set(migrated.map((m) => m.sourcePVCInfo?.claimName));
  const claims = (vmi.spec.volumes ?? []).map(claimNameOf).filter((name) => name !== undefined);
  if (claims.every((name) => sources.has(name))) return;
  vmi.status.conditions = updateCondition(vmi.status.conditions, {
    type: condition.volumesChange,
    status: 'True',
    message: 'Volumes move to other claims with a migration',
    lastTransitionTime: timestamp(pass.context.nowMs),
  });
}
