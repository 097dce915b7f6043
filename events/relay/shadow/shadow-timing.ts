export interface ShadowTiming {
  /** How long whoever leads may take for what the shadow would have written. */
  readonly patienceMs: number;
  /** The shadow ends by itself after that time; absent: when it is stopped. */
  readonly endAfterMs: number | undefined;
}

/** Longer than a change of leaders takes, and than a leader that backs off after some failures. */
export const DEFAULT_PATIENCE_MS = 30_000;
