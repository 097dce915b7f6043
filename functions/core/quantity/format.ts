import type { Quantity } from './quantity.ts';

const NANO = 1_000_000_000n;
const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/** The canonical text: the largest suffix of the family that leaves an integer. Zero is `0` in every family. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  if (format === 'binary' && writableAsBinary(nano)) {
    const { rest, times } = divideOut(nano / NANO, 1024n, BINARY_SUFFIXES.length - 1);
    return `${rest}${BINARY_SUFFIXES[times]}`;
  }
  const { rest, times } = divideOut(nano, 1000n, DECIMAL_SUFFIXES.length - 1);
  if (format !== 'exponent') return `${rest}${DECIMAL_SUFFIXES[times]}`;
  const exponent = times * 3 - 9;
  return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
}

/** Binary suffixes are for whole numbers from 1024 on; everything else falls back to decimal (launcher-pod.md 20). */
function writableAsBinary(nano: bigint): boolean {
  return nano % NANO === 0n && (nano >= 1024n * NANO || nano <= -1024n * NANO);
}

function divideOut(value: bigint, base: bigint, most: number): { rest: bigint; times: number } {
  let rest = value;
  let times = 0;
  while (times < most && rest % base === 0n) {
    rest /= base;
    times++;
  }
  return { rest, times };
}
