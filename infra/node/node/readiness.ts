/** Whether the node can look after guests, and since when (milliseconds since the epoch). */
export type Readiness =
  | { readonly type: 'ready'; readonly sinceMs: number }
  | { readonly type: 'not-ready'; readonly sinceMs: number; readonly message: string };

/** A hypervisor's daemon that is started again is back before that. */
const PATIENCE_MS = 8000;

/**
 * Makes readiness of what the hypervisor answers. As a kubelet does with its runtime, the node is not ready while there is no
 * answer: nothing new is put on it, and only after minutes its pods are taken for lost; guests go on meanwhile.
 */
export class ReadinessWatch {
  #now: Readiness;
  #silentSinceMs: number | undefined;

  constructor(nowMs: number) {
    this.#now = { type: 'ready', sinceMs: nowMs };
  }

  get now(): Readiness {
    return this.#now;
  }

  /** Takes an answer, or what came instead; `askedAtMs` is when it was asked for. Says whether readiness has changed. */
  hear(trouble: string | undefined, askedAtMs: number, nowMs: number): boolean {
    if (trouble === undefined) {
      this.#silentSinceMs = undefined;
      if (this.#now.type === 'ready') return false;
      this.#now = { type: 'ready', sinceMs: nowMs };
      return true;
    }
    this.#silentSinceMs ??= askedAtMs;
    if (this.#now.type === 'not-ready' || nowMs - this.#silentSinceMs < PATIENCE_MS) return false;
    this.#now = { type: 'not-ready', sinceMs: nowMs, message: `the hypervisor does not answer: ${trouble}` };
    return true;
  }
}
