import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, ceil, compare, isZero } from '../../../../functions/core/quantity/arithmetic.ts';
import { formatQuantity } from '../../../../functions/core/quantity/format.ts';
import { parseQuantity } from '../../../../functions/core/quantity/parse.ts';
import { canonicalQuantity, NANO, type Quantity, wholeQuantity } from '../../../../functions/core/quantity/quantity.ts';

const q = (text: string): Quantity => {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${text} is no quantity`);
  return quantity;
};

describe('canonical form (launcher-pod.md 20, runtime.md 11.1 rule 4)', () => {
  test.each([
    ['1024Mi', '1Gi'],
    ['1.5', '1500m'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['5.', '5'],
    ['1.5Gi', '1536Mi'],
    ['0Mi', '0'],
    ['1048576k', '1048576k'],
    ['1000', '1k'],
    ['1000Ki', '1000Ki'],
    ['0.1Ki', '102400m'],
    ['-1024Ki', '-1Mi'],
    ['+3', '3'],
    ['1e3', '1e3'],
    ['1E5', '100e3'],
    ['1E', '1E'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
  ])('%s -> %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  test.each(['', 'abc', '1K', '1 Gi', '.', '1e', '1ki', '--1'])('%j is no quantity and stays', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
    expect(canonicalQuantity(text)).toBe(text);
  });

  test('a plain number is read as it is', () => {
    expect(parseQuantity(4)).toEqual(wholeQuantity(4));
  });
});

describe('arithmetic (launcher-pod.md 20)', () => {
  test('a sum keeps the family of its left operand, unless that is zero', () => {
    expect(formatQuantity(add(q('256Mi'), q('288Mi')))).toBe('544Mi');
    expect(formatQuantity(add(q('1G'), wholeQuantity(303943013)))).toBe('1303943013');
    expect(formatQuantity(add(q('0'), q('1Gi')))).toBe('1Gi');
    expect(formatQuantity(add(q('1Gi'), q('1G')))).toBe('2073741824');
  });

  test('rounding up', () => {
    expect([q('1500m'), q('2'), q('1n'), q('-1500m'), q('0')].map((x) => ceil(x))).toEqual([2n, 2n, 1n, -1n, 0n]);
    expect(ceil(undefined)).toBe(0n);
    expect(isZero(undefined)).toBe(true);
  });
});

const quantities = fc.record<Quantity>({
  nano: fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }),
  format: fc.constantFrom('decimal', 'binary', 'exponent'),
});

describe('properties', () => {
  test('reading what was written gives the same value, and its text is canonical', () => {
    fc.assert(
      fc.property(quantities, (quantity) => {
        const text = formatQuantity(quantity);
        expect(q(text).nano).toBe(quantity.nano);
        expect(canonicalQuantity(text)).toBe(text);
      }),
    );
  });

  test('order is that of the values, whatever the family', () => {
    fc.assert(
      fc.property(quantities, quantities, (a, b) => {
        expect(Math.sign(compare(a, b))).toBe(a.nano < b.nano ? -1 : Number(a.nano > b.nano));
        expect(compare(a, b) + compare(b, a)).toBe(0);
      }),
    );
  });

  test('addition: commutative and associative in value, zero is neutral, monotonous', () => {
    fc.assert(
      fc.property(quantities, quantities, quantities, (a, b, c) => {
        expect(add(a, b).nano).toBe(add(b, a).nano);
        expect(add(add(a, b), c).nano).toBe(add(a, add(b, c)).nano);
        expect(add(wholeQuantity(0), a)).toEqual(a);
        expect(Math.sign(compare(add(a, c), add(b, c)))).toBe(Math.sign(compare(a, b)));
      }),
    );
  });

  test('ceil is the smallest whole number that is not below', () => {
    fc.assert(
      fc.property(quantities, (a) => {
        const whole = ceil(a);
        expect(whole * NANO >= a.nano && (whole - 1n) * NANO < a.nano).toBe(true);
      }),
    );
  });
});
