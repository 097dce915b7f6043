import type { Pod } from '../core/objects.ts';
import { formatQuantity } from '../core/quantity/format.ts';
import { wholeQuantity } from '../core/quantity/quantity.ts';
import { annotation } from './names.ts';
import type { StatusDraft } from './status-draft.ts';

/** What the launcher takes beside the guest's memory, as the pod was rendered with (vmi.md 8.7). */
export function updateMemoryOverhead({ vmi }: StatusDraft, pod: Pod): void {
  const bytes = pod.metadata.annotations?.[annotation.memoryOverheadBytes];
  if (bytes === undefined || !/^[+-]?\d+$/.test(bytes)) return;
  const memoryOverhead = formatQuantity(wholeQuantity(BigInt(bytes), 'binary'));
  vmi.status.memory = { ...vmi.status.memory, memoryOverhead };
}
