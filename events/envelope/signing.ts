/**
 * Signatures of requests and answers: HMAC-SHA256, hex.
 *
 * What is signed, lines joined by "\n":
 *
 * | request | answer |
 * |---|---|
 * | `request` | `answer` |
 * | audience (`reconcile/vm`, `lease`) | audience |
 * | id | the request's id |
 * | | the request's token (0 where it has none) |
 * | timestamp (seconds since the epoch) | timestamp |
 * | raw bytes of the body | raw bytes of the body |
 *
 * Rotation: both sides accept each of their keys and sign with the first. A new key is added at the end on both sides, moved
 * to the front on both, then the old one is dropped.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureError } from './errors.ts';

export const ID_HEADER = 'x-virt-functions-id';
export const TIMESTAMP_HEADER = 'x-virt-functions-timestamp';
export const SIGNATURE_HEADER = 'x-virt-functions-signature';

/** How far the signer's clock may be from ours, either way. */
export const TOLERANCE_MS = 5 * 60_000;

const MIN_KEY_LENGTH = 32;

/** Never empty; the first signs. */
export type SigningKeys = readonly [string, ...string[]];

export interface SignatureHeaders extends Record<string, string> {
  [ID_HEADER]: string;
  [TIMESTAMP_HEADER]: string;
  [SIGNATURE_HEADER]: string;
}

/** What a request says about itself in its headers, once its signature is known to be good. */
export interface Signed {
  readonly id: string;
}

/** To whom a request goes, and from whom its answer comes. */
export type Audience = `reconcile/${string}` | 'lease';

/** Keys from their written form: separated by commas or white space, at least 32 characters each. Throws on none. */
export function parseSigningKeys(text: string): SigningKeys {
  const [first, ...others] = text.split(/[\s,]+/).filter((key) => key !== '');
  if (first === undefined) throw new Error('no signing key given');
  if ([first, ...others].some((key) => key.length < MIN_KEY_LENGTH))
    throw new Error(`a signing key has fewer than ${MIN_KEY_LENGTH} characters`);
  return [first, ...others];
}

export function signRequest(
  keys: SigningKeys,
  message: { readonly audience: Audience; readonly id: string; readonly body: Uint8Array },
  nowMs: number,
): SignatureHeaders {
  return headers(message.id, nowMs, (timestamp) =>
    mac(keys[0], ['request', message.audience, message.id, timestamp], message.body),
  );
}

/** Throws SignatureError. */
export function verifyRequest(
  keys: SigningKeys,
  message: { readonly audience: Audience; readonly headers: HeaderLookup; readonly body: Uint8Array },
  nowMs: number,
): Signed {
  const { id, timestamp, signature } = readHeaders(message.headers);
  requireTolerable(timestamp, nowMs);
  requireMatch(keys, signature, ['request', message.audience, id, timestamp], message.body);
  return { id };
}

/** `id` and `token` are those of the request that is answered; `token` is 0 where it has none. */
export function signAnswer(
  keys: SigningKeys,
  message: { readonly audience: Audience; readonly id: string; readonly token: number; readonly body: Uint8Array },
  nowMs: number,
): SignatureHeaders {
  return headers(message.id, nowMs, (timestamp) =>
    mac(keys[0], ['answer', message.audience, message.id, String(message.token), timestamp], message.body),
  );
}

/** `id` and `token` are those of the request that was sent. Throws SignatureError. */
export function verifyAnswer(
  keys: SigningKeys,
  message: {
    readonly audience: Audience;
    readonly id: string;
    readonly token: number;
    readonly headers: HeaderLookup;
    readonly body: Uint8Array;
  },
  nowMs: number,
): void {
  const { timestamp, signature } = readHeaders(message.headers);
  requireTolerable(timestamp, nowMs);
  const lines = ['answer', message.audience, message.id, String(message.token), timestamp];
  requireMatch(keys, signature, lines, message.body);
}

/** A header's value by its name in lower case. */
export type HeaderLookup = (name: string) => string | undefined;

function readHeaders(lookup: HeaderLookup): { id: string; timestamp: string; signature: Buffer } {
  const id = lookup(ID_HEADER) ?? '';
  const timestamp = lookup(TIMESTAMP_HEADER) ?? '';
  const signature = lookup(SIGNATURE_HEADER) ?? '';
  if (!/^[\w.:-]{1,128}$/.test(id)) throw new SignatureError('missing', `no well-formed ${ID_HEADER}`);
  if (!/^\d{1,12}$/.test(timestamp)) throw new SignatureError('missing', `no well-formed ${TIMESTAMP_HEADER}`);
  if (!/^[0-9a-f]{64}$/.test(signature)) throw new SignatureError('missing', `no well-formed ${SIGNATURE_HEADER}`);
  return { id, timestamp, signature: Buffer.from(signature, 'hex') };
}

function requireTolerable(timestamp: string, nowMs: number): void {
  if (Math.abs(nowMs - Number(timestamp) * 1000) > TOLERANCE_MS)
    throw new SignatureError('outside-tolerance', 'signed at a time too far from now');
}

function requireMatch(keys: SigningKeys, signature: Buffer, lines: readonly string[], body: Uint8Array): void {
  // Every key is tried, whichever matches, so that time does not tell which one did.
  const matches = keys.map((key) => timingSafeEqual(mac(key, lines, body), signature));
  if (!matches.includes(true)) throw new SignatureError('mismatch', 'the signature does not fit the message');
}

function headers(id: string, nowMs: number, sign: (timestamp: string) => Buffer): SignatureHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  return { [ID_HEADER]: id, [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: sign(timestamp).toString('hex') };
}

function mac(key: string, lines: readonly string[], body: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(`${lines.join('\n')}\n`)
    .update(body)
    .digest();
}
