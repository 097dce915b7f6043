/**
 * Bytes of a body to a message and back. Decoding checks, in this order: size, nesting, UTF-8, JSON, version, shape; it throws
 * MessageTooLargeError, MalformedMessageError or UnknownVersionError.
 */
import * as v from 'valibot';
import {
  type LeaseAnswer,
  type LeaseRequest,
  type ReconcileAnswer,
  type ReconcileRequest,
  VERSION,
} from './envelope.ts';
import { MalformedMessageError, MessageTooLargeError, UnknownVersionError } from './errors.ts';
import { MAX_BODY_BYTES, MAX_NESTING } from './limits.ts';
import { nestsDeeperThan } from './nesting.ts';
import { leaseAnswer, leaseRequest } from './schema/lease.ts';
import { reconcileAnswer, reconcileRequest } from './schema/reconcile.ts';

export function decodeReconcileRequest(body: Uint8Array): ReconcileRequest {
  return decode(reconcileRequest, body);
}

/** An answer is also refused when it is not the answer to that request: other id, other token, other keys. */
export function decodeReconcileAnswer(
  body: Uint8Array,
  request: Pick<ReconcileRequest, 'deliveryId' | 'token' | 'items'>,
): ReconcileAnswer {
  const answer = decode(reconcileAnswer, body);
  if (answer.deliveryId !== request.deliveryId) throw new MalformedMessageError('the answer is to another delivery');
  if (answer.token !== request.token) throw new MalformedMessageError('the answer is to another token');
  if (
    answer.items.length !== request.items.length ||
    answer.items.some((item, i) => item.key !== request.items[i]?.key)
  )
    throw new MalformedMessageError('the answer is not about the keys that were sent');
  return answer;
}

export function decodeLeaseRequest(body: Uint8Array): LeaseRequest {
  return decode(leaseRequest, body);
}

export function decodeLeaseAnswer(body: Uint8Array): LeaseAnswer {
  return decode(leaseAnswer, body);
}

export function encode(
  message: ReconcileRequest | ReconcileAnswer | LeaseRequest | LeaseAnswer,
): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(message));
}

function decode<T>(schema: v.GenericSchema<unknown, T>, body: Uint8Array): T {
  if (body.length > MAX_BODY_BYTES) throw new MessageTooLargeError(`${body.length} bytes, at most ${MAX_BODY_BYTES}`);
  if (nestsDeeperThan(body, MAX_NESTING)) throw new MalformedMessageError(`nested deeper than ${MAX_NESTING}`);
  const message = parseJson(body);
  requireKnownVersion(message);
  const result = v.safeParse(schema, message, { abortEarly: true });
  if (!result.success) throw new MalformedMessageError(describe(result.issues[0]));
  return result.output;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's message quotes the text, which does not belong into logs and answers.
    throw new MalformedMessageError('not JSON in UTF-8');
  }
}

function requireKnownVersion(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('version' in message))
    throw new MalformedMessageError('no version');
  if (message.version !== VERSION) throw new UnknownVersionError(`only version ${VERSION} is known`);
}

/** Where the fault is and what was expected there; never what was found. */
function describe(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? 'the message';
  // Messages of these two kinds are ours; the library's own quote what they found.
  if (issue.type === 'custom' || issue.type === 'check') return `${path}: ${issue.message}`;
  return `${path}: not ${issue.expected ?? issue.type}`;
}
