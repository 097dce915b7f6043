/** Pauses after the first, second, ... failure in a row; the last one is repeated. Never empty. */
export type BackOff = readonly [number, ...number[]];

/** Milliseconds (design section 3; replaces runtime.md 2.2). */
export const DEFAULT_BACK_OFF: BackOff = [1_000, 2_000, 4_000, 8_000, 16_000];

/** The pause after that many failures in a row, milliseconds. */
export function pauseAfter(failures: number, backOff: BackOff): number {
  const index = Math.min(Math.max(failures, 1), backOff.length) - 1;
  return backOff[index] ?? backOff[0];
}
