import * as v from 'valibot';
import { type LeaseAnswer, type LeaseRequest, VERSION } from '../envelope.ts';
import { milliseconds, shortText, token } from './objects.ts';

/** From a second, below which skew decides, to five minutes, for which a crashed relay would stop everything. */
const durationMs = v.pipe(v.number(), v.safeInteger(), v.minValue(1000), v.maxValue(5 * 60_000));

const request = { version: v.literal(VERSION), cluster: shortText, holder: shortText, timeMs: milliseconds };

export const leaseRequest: v.GenericSchema<unknown, LeaseRequest> = v.variant('action', [
  v.object({ ...request, action: v.literal('acquire'), durationMs }),
  v.object({ ...request, action: v.literal('renew'), token, durationMs, visitMark: v.optional(milliseconds) }),
  v.object({ ...request, action: v.literal('release'), token }),
]);

export const leaseAnswer: v.GenericSchema<unknown, LeaseAnswer> = v.variant('type', [
  v.object({
    version: v.literal(VERSION),
    type: v.literal('granted'),
    token,
    renewedAtMs: milliseconds,
    durationMs,
    visit: v.array(v.string()),
    visitMark: v.optional(milliseconds),
  }),
  v.object({
    version: v.literal(VERSION),
    type: v.literal('refused'),
    holder: v.optional(shortText),
    retryAfterMs: milliseconds,
  }),
  v.object({ version: v.literal(VERSION), type: v.literal('released') }),
]);
