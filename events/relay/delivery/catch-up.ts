import type { ActionResult } from '../../../functions/core/action.ts';
import { kindNamed } from '../../../functions/core/kinds.ts';
import { keyFor, keyOf } from '../../../functions/core/object-index.ts';
import type { ReconcileItem } from '../../envelope/envelope.ts';
import type { Conflict } from '../apply/apply.ts';
import { pathOf } from '../kube/paths.ts';
import { sleep } from '../ports.ts';
import type { DeliveryParts } from './delivery-parts.ts';

/** After a lost race: how long the watch may take to bring the newer version before it is read. */
export const CATCH_UP_MS = 100;

/**
 * After a race lost over a version: waits for the version that won, reads it if the watch does not bring it. Where nobody had
 * won after all (a patch that is invalid in itself looks like a failed test), the conflict is a failure.
 */
export async function catchUp(
  { caches, ports, api }: Pick<DeliveryParts, 'caches' | 'ports' | 'api'>,
  results: readonly ActionResult[],
  conflict: Conflict,
  item: ReconcileItem,
): Promise<readonly ActionResult[]> {
  if (conflict.over === 'precondition') return results;
  const { target } = conflict;
  const kind = kindNamed(target.kind);
  const cache = caches.named(target.kind);
  const key = keyFor(target.namespace, target.name);
  const before = conflict.version ?? versionIn(item, target.kind, key);
  if (kind === undefined || cache === undefined || before === undefined) return results;
  const moved = () => cache.get(key)?.metadata.resourceVersion !== before;
  if (!moved()) await sleep(ports.timers, CATCH_UP_MS);
  if (moved()) return results;
  try {
    const live = await api.get(pathOf(kind, target.namespace, target.name));
    const known = cache.get(key);
    if (live !== undefined) cache.wrote(live);
    else if (known?.metadata.uid !== undefined) cache.removed(key, known.metadata.uid);
    if (live?.metadata.resourceVersion !== before) return results;
  } catch {
    return results;
  }
  return results.map((r) =>
    r.status === 'conflict' ? { id: r.id, status: 'failed', code: 422, reason: 'Invalid', message: r.message } : r,
  );
}

/** The version of an object that the function was shown. */
function versionIn(item: ReconcileItem, kind: string, key: string): string | undefined {
  for (const read of [item.primary, ...Object.values(item.reads)].flat()) {
    if (read !== null && read.kind === kind && keyOf(read) === key) return read.metadata.resourceVersion;
  }
  return undefined;
}
