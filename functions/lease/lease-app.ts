import { decodeLeaseRequest } from '../../events/envelope/decode.ts';
import { type LeaseAnswer, type LeaseRequest, VERSION } from '../../events/envelope/envelope.ts';
import type { SigningKeys } from '../../events/envelope/signing.ts';
import type { Clock } from '../http/clock.ts';
import type { Log } from '../http/log.ts';
import type { RefusalSink } from '../http/metrics.ts';
import { createSignedApp, type FunctionApp } from '../http/signed-app.ts';
import { acquireLease, type LeaseResult, releaseLease, renewLease } from '../store/lease.ts';
import { expiresAtMs } from '../store/lease-row.ts';
import type { Table } from '../store/table.ts';
import { clearVisit } from '../store/visit.ts';

/** How often somebody who waits for the lease should ask: it may be released at any time. */
const ASK_AGAIN_MS = 2_000;

export interface LeaseParts {
  readonly table: Table;
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly log: Log;
  readonly onRefusal?: RefusalSink;
}

/** `POST /v1/lease`: acquire, renew, release. */
export function createLeaseApp(parts: LeaseParts): FunctionApp {
  return createSignedApp({
    audience: 'lease',
    keys: parts.keys,
    clock: parts.clock,
    log: parts.log,
    ...(parts.onRefusal !== undefined && { onRefusal: parts.onRefusal }),
    answer: async (body) => {
      const request = decodeLeaseRequest(body);
      const message = await answerLease(parts, request);
      return { message, token: request.action === 'acquire' ? 0 : request.token };
    },
  });
}

async function answerLease({ table, clock, log }: LeaseParts, request: LeaseRequest): Promise<LeaseAnswer> {
  const nowMs = clock();
  switch (request.action) {
    case 'acquire': {
      const result = await acquireLease(table, { ...request, nowMs });
      if (result.type === 'granted') log.info('lease acquired', { holder: request.holder, token: result.lease.token });
      return toAnswer(result, nowMs);
    }
    case 'renew': {
      const result = await renewLease(table, { ...request, nowMs });
      return toAnswer(await withoutKnownVisit(table, request, result, nowMs), nowMs);
    }
    case 'release':
      await releaseLease(table, request);
      log.info('lease released', { holder: request.holder, token: request.token });
      return { version: VERSION, type: 'released' };
  }
}

/** The list of keys to be visited goes once the relay has it. */
async function withoutKnownVisit(
  table: Table,
  { cluster, visitMark }: LeaseRequest & { readonly action: 'renew' },
  result: LeaseResult,
  nowMs: number,
): Promise<LeaseResult> {
  if (result.type === 'refused' || result.lease.visit === undefined) return result;
  if (result.lease.visit.markedAtMs !== visitMark) return result;
  await clearVisit(table, cluster, result.lease, nowMs);
  const { visit: _known, ...lease } = result.lease;
  return { type: 'granted', lease };
}

function toAnswer(result: LeaseResult, nowMs: number): LeaseAnswer {
  if (result.type === 'granted') {
    const { token, renewedAtMs, durationMs, visit } = result.lease;
    const granted = { version: VERSION, type: 'granted', token, renewedAtMs, durationMs } as const;
    return visit === undefined
      ? { ...granted, visit: [] }
      : { ...granted, visit: visit.keys, visitMark: visit.markedAtMs };
  }
  const { held } = result;
  if (held === undefined) return { version: VERSION, type: 'refused', retryAfterMs: ASK_AGAIN_MS };
  const retryAfterMs = Math.min(ASK_AGAIN_MS, Math.max(0, expiresAtMs(held) - nowMs));
  return { version: VERSION, type: 'refused', holder: held.holder, retryAfterMs };
}
