import { decodeReconcileAnswer, encode } from '../../../events/envelope/decode.ts';
import type { ReconcileAnswer, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import type { Problem } from '../../../events/envelope/problem.ts';
import { type SigningKeys, signRequest, verifyAnswer } from '../../../events/envelope/signing.ts';
import { DEFAULT_BACK_OFF } from '../../../functions/http/back-off.ts';
import { jsonLog } from '../../../functions/http/log.ts';
import type { BatchMetrics } from '../../../functions/http/metrics.ts';
import type { AnyReconcile } from '../../../functions/http/pass.ts';
import { createReconcileApp } from '../../../functions/http/reconcile-app.ts';
import type { FunctionApp } from '../../../functions/http/signed-app.ts';
import { systemTimers } from '../../../functions/http/timers.ts';
import { acquireLease } from '../../../functions/store/lease.ts';
import type { Table } from '../../../functions/store/table.ts';
import { reconcile, widget } from './widget.ts';

export const keys: SigningKeys = ['a-key-for-tests-of-32-characters'];
const audience = 'reconcile/widget';

export interface WidgetService {
  readonly app: FunctionApp;
  readonly logLines: string[];
  readonly measured: BatchMetrics[];
  /** The function's clock; tests move it. */
  nowMs: number;
  /** Delivers a batch as the relay does and takes the answer as the relay does. */
  deliver(request: ReconcileRequest, limitMs?: number): Promise<ReconcileAnswer>;
  /** Delivers a batch that is to be refused. */
  refused(request: ReconcileRequest, signedWith?: SigningKeys): Promise<Problem>;
  /** POSTs a body, signed. */
  post(body: Uint8Array<ArrayBuffer>, id: string, signedWith?: SigningKeys, limitMs?: number): Promise<Response>;
}

/** The widget controller as a function over that table. */
export function widgetService(table: Table, decide: AnyReconcile = reconcile): WidgetService {
  const logLines: string[] = [];
  const measured: BatchMetrics[] = [];
  const service: WidgetService = {
    app: createReconcileApp({
      controller: widget,
      reconcile: decide,
      table,
      keys,
      clock: () => service.nowMs,
      timers: systemTimers,
      backOff: DEFAULT_BACK_OFF,
      log: jsonLog((line) => logLines.push(line), 'debug'),
      metrics: (m) => measured.push(m),
    }),
    logLines,
    measured,
    nowMs: Date.now(),
    post: async (body, id, signedWith = keys, limitMs = 5_000) => {
      const headers = signRequest(signedWith, { audience, id, body }, service.nowMs);
      const request = new Request('http://function/v1/reconcile/widget', { method: 'POST', headers, body });
      return service.app.fetch(request, { deadlineMs: service.nowMs + limitMs });
    },
    deliver: async (request, limitMs) => {
      const response = await service.post(encode(request), request.deliveryId, keys, limitMs);
      const body = new Uint8Array(await response.arrayBuffer());
      if (response.status !== 200) throw new Error(`${response.status}: ${new TextDecoder().decode(body)}`);
      const { deliveryId: id, token } = request;
      const lookup = (name: string) => response.headers.get(name) ?? undefined;
      verifyAnswer(keys, { audience, id, token, headers: lookup, body }, service.nowMs);
      return decodeReconcileAnswer(body, request);
    },
    refused: async (request, signedWith) => {
      const response = await service.post(encode(request), request.deliveryId, signedWith);
      return (await response.json()) as Problem;
    },
  };
  return service;
}

/** Takes the lease for a holder; its token. */
export async function takeLease(table: Table, nowMs: number, holder = 'relay-a'): Promise<number> {
  const result = await acquireLease(table, { cluster: 'cluster-uid', holder, durationMs: 15_000, nowMs });
  if (result.type !== 'granted') throw new Error('the lease is held');
  return result.lease.token;
}
