import {
  MalformedMessageError,
  MessageTooLargeError,
  SignatureError,
  UnknownVersionError,
} from '../../events/envelope/errors.ts';
import type { Problem } from '../../events/envelope/problem.ts';
import { TableUnavailableError } from '../store/errors.ts';
import { StaleTokenError } from './errors.ts';

/** The one way from anything thrown to a refusal. `detail` tells only what the classes say themselves. */
export function problemOf(error: unknown): Problem {
  if (error instanceof SignatureError)
    return { type: 'bad-signature', title: 'Bad signature', status: 401, detail: error.message };
  if (error instanceof StaleTokenError)
    return { type: 'stale-token', title: 'Stale token', status: 409, detail: error.message };
  if (error instanceof MessageTooLargeError)
    return { type: 'too-large', title: 'Body too large', status: 413, detail: error.message };
  if (error instanceof UnknownVersionError)
    return { type: 'unknown-version', title: 'Unknown version', status: 400, detail: error.message };
  if (error instanceof MalformedMessageError)
    return { type: 'malformed', title: 'Malformed body', status: 400, detail: error.message };
  if (error instanceof TableUnavailableError || isServiceFault(error))
    return { type: 'unavailable', title: 'Table unavailable', status: 503 };
  return { type: 'internal', title: 'Internal error', status: 500 };
}

/** Faults of the table's service or of the way to it: throttling, time-outs, refused connections, 5xx. */
function isServiceFault(error: unknown): boolean {
  return error instanceof Error && '$metadata' in error;
}
