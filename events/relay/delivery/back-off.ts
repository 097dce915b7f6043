/** Pauses of a key whose function did not answer (design: 1, 2, 4, 8, 16 s, then 16 s). The first failure gives the first pause. */
export function backOffMs(failures: number): number {
  return 1000 * 2 ** Math.min(4, Math.max(0, failures - 1));
}
