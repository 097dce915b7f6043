/** Limits that rendering adds where the namespace demands them (launcher-pod.md 10.3). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { selectorMatches } from '../../core/label-selector.ts';
import type { ResourceQuota, VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { formatQuantity } from '../../core/quantity/format.ts';
import { wholeQuantity } from '../../core/quantity/quantity.ts';
import type { RelatedObjects } from '../input.ts';
import { parseDecimal } from './decimal.ts';
import { amount, type ResourceLedger } from './resource-ledger.ts';

const MEMORY_RATIO = 'alpha.kubevirt.io/auto-memory-limits-ratio';
const DEFAULT_MEMORY_RATIO = 2;

export function wantsAutomaticCpuLimit(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  related: RelatedObjects,
): boolean {
  if (vmi.spec.domain.resources?.limits?.['cpu'] !== undefined) return false;
  if (quotaDemands(related.quotas, vmi, 'limits.cpu')) return true;
  const selector = configuration.kubevirt.autoCPULimitNamespaceLabelSelector;
  return (
    selector !== undefined &&
    related.namespace !== undefined &&
    selectorMatches(selector, related.namespace.metadata.labels ?? {})
  );
}

/** A multiple of the request, the overhead included; loses to a limit that is there already. */
export function automaticMemoryLimit(
  { own, calculated }: ResourceLedger,
  vmi: VirtualMachineInstance,
  related: RelatedObjects,
): void {
  const given = vmi.spec.domain.resources?.limits?.['memory'] !== undefined;
  const request = own.requests.get('memory');
  if (given || request === undefined || !quotaDemands(related.quotas, vmi, 'limits.memory')) return;
  const ratio = parseDecimal(related.namespace?.metadata.labels?.[MEMORY_RATIO]);
  const factor = ratio !== undefined && ratio >= 1 ? ratio : DEFAULT_MEMORY_RATIO;
  // In floating point, as the original: the ratio is nobody's exact amount.
  const bytes = Math.floor(Number(ceil(request.quantity)) * factor);
  const because = `${formatQuantity(request.quantity)} x ${factor}: the namespace's quota demands a limit`;
  calculated.limits.set('memory', amount(wholeQuantity(bytes, request.quantity.format), because));
}

function quotaDemands(quotas: readonly ResourceQuota[], vmi: VirtualMachineInstance, resource: string): boolean {
  return quotas.some((q) => q.metadata.namespace === vmi.metadata.namespace && q.spec?.hard?.[resource] !== undefined);
}
