/** When a refused request is to be sent again: as the API server asks, and where it has done nothing yet. */

/** Too many requests, or storage of a kind whose definition has just changed. */
const BEFORE_ANYTHING: ReadonlySet<number> = new Set([429, 503]);
const MAX_TRIES = 10;

/** The header's value; `undefined`: none that can be read. */
export function retryAfterMsOf(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** How long to wait before the next try; `undefined`: the refusal stands. `tries`: made so far. */
export function comeAgainAfterMs(
  refusal: { readonly code: number; readonly retryAfterMs: number | undefined },
  tries: number,
): number | undefined {
  return BEFORE_ANYTHING.has(refusal.code) && tries < MAX_TRIES ? refusal.retryAfterMs : undefined;
}
