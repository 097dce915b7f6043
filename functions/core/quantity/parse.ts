import type { Quantity, QuantityFormat } from './quantity.ts';

const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/;

const DECIMAL_EXPONENT: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_POWER: Readonly<Record<string, bigint>> = { Ki: 1n, Mi: 2n, Gi: 3n, Ti: 4n, Pi: 5n, Ei: 6n };

/**
 * Reads a quantity. Parts finer than 10^-9 round away from zero (launcher-pod.md 20). Objects in the store may hold a plain
 * number where a quantity is meant, so numbers are read too. Not a quantity: `undefined`.
 */
export function parseQuantity(text: string | number): Quantity | undefined {
  const match = SYNTAX.exec(String(text).trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix, exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const { format, factor, tenPower } = unitOf(suffix, exponent);

  // value = digits * factor * 10^tenPower, wanted in units of 10^-9
  const power = tenPower - fraction.length + 9;
  const digits = BigInt(whole + fraction) * factor;
  const magnitude = power >= 0 ? digits * 10n ** BigInt(power) : ceilDivide(digits, 10n ** BigInt(-power));
  const nano = sign === '-' ? -magnitude : magnitude;
  return { nano, format };
}

function unitOf(suffix: string | undefined, exponent: string | undefined) {
  const binary = suffix === undefined ? undefined : BINARY_POWER[suffix];
  if (binary !== undefined) return { format: 'binary', factor: 1024n ** binary, tenPower: 0 } satisfies Unit;
  if (exponent !== undefined) return { format: 'exponent', factor: 1n, tenPower: Number(exponent) } satisfies Unit;
  const tenPower = suffix === undefined ? 0 : (DECIMAL_EXPONENT[suffix] ?? 0);
  return { format: 'decimal', factor: 1n, tenPower } satisfies Unit;
}

interface Unit {
  format: QuantityFormat;
  factor: bigint;
  tenPower: number;
}

function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
