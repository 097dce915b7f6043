import type { Clock, Timers } from '../ports.ts';
import { sleep } from '../ports.ts';
import { ApiUnreachable } from './errors.ts';

/** Token bucket (runtime.md 6): `qps` tokens a second, at most `burst` of them saved up. Waiters are served in order. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #timers: Timers;
  #qps = 200;
  #burst = 400;
  #tokens = 400;
  #at: number;

  constructor(clock: Clock, timers: Timers) {
    this.#clock = clock;
    this.#timers = timers;
    this.#at = clock.monotonic();
  }

  /** A fresh bucket, as the original makes one on each change of its configuration. */
  configure(qps: number, burst: number): void {
    if (qps === this.#qps && burst === this.#burst) return;
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = this.#clock.monotonic();
  }

  /** Waits for a token; throws when it would take longer than `timeoutMs`. */
  async admit(timeoutMs: number): Promise<void> {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#qps);
    this.#at = now;
    const waitMs = this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.#qps) * 1000;
    if (waitMs > timeoutMs) throw new ApiUnreachable(`client rate limit: a token takes ${Math.ceil(waitMs)} ms`);
    this.#tokens -= 1;
    if (waitMs > 0) await sleep(this.#timers, waitMs);
  }
}
