export interface BackOff {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** A kubelet's, for images. */
export const IMAGE_BACK_OFF: BackOff = { firstPauseMs: 10_000, longestPauseMs: 300_000 };

/** The pause after so many failures in a row: it doubles with each. */
export function pauseMs({ firstPauseMs, longestPauseMs }: BackOff, failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}
