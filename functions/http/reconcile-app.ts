import { decodeReconcileRequest } from '../../events/envelope/decode.ts';
import type { SigningKeys } from '../../events/envelope/signing.ts';
import { type BatchParts, runBatch } from './batch.ts';
import type { RefusalSink } from './metrics.ts';
import { createSignedApp, type FunctionApp, requireId } from './signed-app.ts';

/** The function around a controller: `POST /v1/reconcile/<controller>`. */
export function createReconcileApp(
  parts: BatchParts & { readonly keys: SigningKeys; readonly onRefusal?: RefusalSink },
): FunctionApp {
  return createSignedApp({
    audience: `reconcile/${parts.controller.name}`,
    keys: parts.keys,
    clock: parts.clock,
    log: parts.log,
    ...(parts.onRefusal !== undefined && { onRefusal: parts.onRefusal }),
    answer: async (body, id, deadlineMs) => {
      const request = decodeReconcileRequest(body);
      requireId(id, request.deliveryId);
      return { message: await runBatch(parts, request, deadlineMs), token: request.token };
    },
  });
}
