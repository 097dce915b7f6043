import { encode } from '../../envelope/decode.ts';
import { type ReconcileItem, type ReconcileRequest, VERSION } from '../../envelope/envelope.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from '../../envelope/limits.ts';

export interface Batch {
  readonly request: ReconcileRequest;
  readonly body: Uint8Array;
}

/** Splits items into requests that keep to the number and size that one may have. An item that exceeds it alone is left alone. */
export function batches(
  items: readonly ReconcileItem[],
  base: Omit<ReconcileRequest, 'version' | 'items' | 'deliveryId'>,
  newId: () => string,
): Batch[] {
  const whole = make(items, base, newId());
  if (items.length <= 1 || (whole.body.length <= MAX_BATCH_BYTES && items.length <= MAX_BATCH_ITEMS)) return [whole];
  const middle = Math.ceil(items.length / 2);
  return [...batches(items.slice(0, middle), base, newId), ...batches(items.slice(middle), base, newId)];
}

function make(
  items: readonly ReconcileItem[],
  base: Omit<ReconcileRequest, 'version' | 'items' | 'deliveryId'>,
  deliveryId: string,
): Batch {
  const request: ReconcileRequest = { version: VERSION, ...base, deliveryId, items };
  return { request, body: encode(request) };
}
