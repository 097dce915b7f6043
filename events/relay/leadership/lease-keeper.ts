/**
 * Gets and keeps one lease, whoever grants it: tries until it has it, renews while it has it, and knows until when it may be
 * relied upon (runtime.md 5; design "Fencing").
 *
 * ```text
 *   sent                renew deadline (10 s)      lease ends (15 s)
 *    |--- may act -----------|--- acts no more ---------|  others may take it
 * ```
 * Time counts from before the request was sent, by the larger of monotonic and wall time: a machine that slept has not.
 */
import type { Ports } from '../ports.ts';
import { sleep } from '../ports.ts';

export interface LeaseTiming {
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

export const DEFAULT_TIMING: LeaseTiming = { durationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export type Attempt =
  | { readonly type: 'held' }
  /** Somebody else holds it, or the granter did not answer. */
  | { readonly type: 'refused'; readonly why: string; readonly retryAfterMs?: number };

/** One kind of lease. Neither method throws. */
export interface Lease {
  readonly name: string;
  acquire(): Promise<Attempt>;
  renew(): Promise<Attempt>;
  release(): Promise<void>;
}

interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** Throws on timing that cannot work (runtime.md 5: "Constraints checked at start"). */
export function checkTiming(t: LeaseTiming): void {
  if (!(t.durationMs > t.renewDeadlineMs)) throw new Error('lease duration must be longer than the renew deadline');
  if (!(t.renewDeadlineMs > 1.2 * t.retryMs))
    throw new Error('renew deadline must be longer than 1.2 times the retry period');
}

export class LeaseKeeper {
  readonly #lease: Lease;
  readonly #timing: LeaseTiming;
  readonly #ports: Ports;
  #since: Moment | undefined;
  #stopped = false;

  constructor(lease: Lease, timing: LeaseTiming, ports: Ports) {
    this.#lease = lease;
    this.#timing = timing;
    this.#ports = ports;
  }

  get name(): string {
    return this.#lease.name;
  }

  /** Whether the holder may start something new. */
  get mayAct(): boolean {
    return this.#since !== undefined && this.#elapsed(this.#since) < this.#timing.renewDeadlineMs;
  }

  /** Milliseconds until others may take the lease; 0 when it is not held. */
  get remainingMs(): number {
    return this.#since === undefined ? 0 : Math.max(0, this.#timing.durationMs - this.#elapsed(this.#since));
  }

  /** Resolves once the lease is held (or `stop` was called). */
  async acquire(): Promise<void> {
    for (let told = ''; !this.#stopped; ) {
      const before = this.#moment();
      const attempt = await this.#lease.acquire();
      if (attempt.type === 'held') {
        this.#since = before;
        this.#ports.log.info('lease acquired', { lease: this.#lease.name });
        return;
      }
      if (attempt.why !== told)
        this.#ports.log.info('lease not acquired', { lease: this.#lease.name, why: attempt.why });
      told = attempt.why;
      const pause = Math.min(attempt.retryAfterMs ?? Number.POSITIVE_INFINITY, this.#timing.retryMs);
      await sleep(this.#ports.timers, pause * (1 + this.#ports.random.next() * 0.2));
    }
  }

  /** Renews until the deadline passes without a success; resolves then (or after `stop`). */
  async keep(): Promise<void> {
    while (!this.#stopped && this.mayAct) {
      await sleep(this.#ports.timers, this.#timing.retryMs);
      if (this.#stopped || !this.mayAct) break;
      const before = this.#moment();
      const attempt = await Promise.race([this.#lease.renew(), this.#deadline()]);
      if (attempt.type === 'held') this.#since = before;
      else this.#ports.log.warn('lease not renewed', { lease: this.#lease.name, why: attempt.why });
    }
  }

  /** Gives the lease back, if it is held. Nothing may be done under it before or after. */
  async release(): Promise<void> {
    this.#stopped = true;
    if (this.#since === undefined) return;
    this.#since = undefined;
    await this.#lease.release();
  }

  /** Forgets the lease without a word to its granter. */
  abandon(): void {
    this.#stopped = true;
    this.#since = undefined;
  }

  #deadline(): Promise<Attempt> {
    const left = this.#since === undefined ? 0 : Math.max(0, this.#timing.renewDeadlineMs - this.#elapsed(this.#since));
    return sleep(this.#ports.timers, left).then(() => ({
      type: 'refused',
      why: 'no answer before the renew deadline',
    }));
  }

  #moment(): Moment {
    return { monotonic: this.#ports.clock.monotonic(), wall: this.#ports.clock.now() };
  }

  #elapsed(since: Moment): number {
    return Math.max(this.#ports.clock.monotonic() - since.monotonic, this.#ports.clock.now() - since.wall);
  }
}
