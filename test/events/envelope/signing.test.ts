import { describe, expect, test } from 'vitest';
import {
  type HeaderLookup,
  parseSigningKeys,
  SIGNATURE_HEADER,
  type SigningKeys,
  signAnswer,
  signRequest,
  TIMESTAMP_HEADER,
  TOLERANCE_MS,
  verifyAnswer,
  verifyRequest,
} from '../../../events/envelope/signing.ts';

const OLD = 'old-key-of-at-least-32-characters';
const NEW = 'new-key-of-at-least-32-characters';
const body = new TextEncoder().encode('{"version":1}');
const now = 1_700_000_000_000;
const request = { audience: 'reconcile/vm', id: 'delivery-1', body } as const;
const answer = { ...request, token: 7 } as const;

function lookup(headers: Readonly<Record<string, string>>): HeaderLookup {
  return (name) => headers[name];
}

function verifiesRequest(keys: SigningKeys, headers: Readonly<Record<string, string>>, more = {}): boolean {
  try {
    return verifyRequest(keys, { ...request, headers: lookup(headers), ...more }, now).id === request.id;
  } catch {
    return false;
  }
}

describe('a request', () => {
  const headers = signRequest([OLD], request, now);

  test('is known to come from a holder of the key', () => {
    expect(verifiesRequest([OLD], headers)).toBe(true);
    expect(verifiesRequest([NEW], headers)).toBe(false);
  });

  test('is refused when a byte, the id, the time or the audience is another', () => {
    expect(verifiesRequest([OLD], headers, { body: new TextEncoder().encode('{"version":2}') })).toBe(false);
    expect(verifiesRequest([OLD], { ...headers, 'x-virt-functions-id': 'delivery-2' })).toBe(false);
    expect(verifiesRequest([OLD], { ...headers, [TIMESTAMP_HEADER]: String(now / 1000 + 1) })).toBe(false);
    expect(verifiesRequest([OLD], headers, { audience: 'reconcile/vmi' })).toBe(false);
  });

  test('is refused without well-formed headers', () => {
    expect(verifiesRequest([OLD], {})).toBe(false);
    expect(verifiesRequest([OLD], { ...headers, [SIGNATURE_HEADER]: 'short' })).toBe(false);
    expect(verifiesRequest([OLD], { ...headers, [TIMESTAMP_HEADER]: '-1' })).toBe(false);
  });

  test('is refused when signed more than five minutes ago, or ahead', () => {
    const at = (ms: number) => () =>
      verifyRequest([OLD], { ...request, headers: lookup(signRequest([OLD], request, ms)) }, now);
    expect(at(now - TOLERANCE_MS)).not.toThrow();
    expect(at(now + TOLERANCE_MS)).not.toThrow();
    expect(at(now - TOLERANCE_MS - 1000)).toThrow(expect.objectContaining({ fault: 'outside-tolerance' }));
    expect(at(now + TOLERANCE_MS + 1000)).toThrow(expect.objectContaining({ fault: 'outside-tolerance' }));
  });
});

test('keys rotate without a moment in which one side refuses the other', () => {
  const steps: readonly (readonly [SigningKeys, SigningKeys])[] = [
    [[OLD], [OLD, NEW]],
    [
      [OLD, NEW],
      [NEW, OLD],
    ],
    [[NEW, OLD], [NEW]],
  ];
  for (const [before, after] of steps) {
    expect(verifiesRequest(before, signRequest(after, request, now))).toBe(true);
    expect(verifiesRequest(after, signRequest(before, request, now))).toBe(true);
  }
});

describe('an answer', () => {
  const headers = signAnswer([OLD], answer, now);
  const verify = (more: object) => () => verifyAnswer([OLD], { ...answer, headers: lookup(headers), ...more }, now);

  test('belongs to the id and token of one request', () => {
    expect(verify({})).not.toThrow();
    expect(verify({ id: 'delivery-2' })).toThrow(expect.objectContaining({ fault: 'mismatch' }));
    expect(verify({ token: 8 })).toThrow(expect.objectContaining({ fault: 'mismatch' }));
    expect(verify({ audience: 'lease' })).toThrow(expect.objectContaining({ fault: 'mismatch' }));
  });

  test('is not a request sent back', () => {
    expect(verify({ headers: lookup(signRequest([OLD], request, now)) })).toThrow();
  });
});

test('written keys: separated by commas or white space, none too short', () => {
  expect(parseSigningKeys(` ${NEW},\n${OLD} `)).toEqual([NEW, OLD]);
  expect(() => parseSigningKeys('')).toThrow('no signing key');
  expect(() => parseSigningKeys(`${NEW},short`)).toThrow('fewer than 32');
});
