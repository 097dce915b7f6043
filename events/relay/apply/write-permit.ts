/** Who may write now, and for how long a write may be under way. */
export interface WritePermit {
  readonly mayAct: boolean;
  readonly remainingMs: number;
}

/** What is left of the lease when a write's time is up. */
const LEASE_MARGIN_MS = 500;

/** How long a write that leaves now may take, milliseconds; 0: none may leave any more. */
export function writeTimeMs({ mayAct, remainingMs }: WritePermit): number {
  return mayAct ? Math.max(0, remainingMs - LEASE_MARGIN_MS) : 0;
}
