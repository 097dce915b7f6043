/** The lease of the table, through the lease function: it brings the fencing token. */
import { VERSION } from '../../envelope/envelope.ts';
import type { LeaseClient } from '../delivery/function-client.ts';
import type { Ports } from '../ports.ts';
import type { Attempt, Lease, LeaseTiming } from './lease-keeper.ts';

export class TableLease implements Lease {
  readonly name = 'table lease';
  readonly #client: LeaseClient;
  readonly #cluster: string;
  readonly #timing: LeaseTiming;
  readonly #ports: Ports;
  readonly #onVisit: (visit: readonly string[]) => void;
  /** New at every start: a process that was replaced can't renew its successor's lease. */
  readonly #holder: string;
  #token = 0;
  /** Of the last list of keys to be visited that was passed on. */
  #visitMark: number | undefined;

  constructor(
    client: LeaseClient,
    cluster: string,
    timing: LeaseTiming,
    ports: Ports,
    onVisit: (visit: readonly string[]) => void,
  ) {
    this.#client = client;
    this.#cluster = cluster;
    this.#timing = timing;
    this.#ports = ports;
    this.#onVisit = onVisit;
    this.#holder = ports.random.uuid();
  }

  /** The fencing token of the last acquisition. */
  get token(): number {
    return this.#token;
  }

  acquire(): Promise<Attempt> {
    return this.#ask({ ...this.#base(), action: 'acquire', durationMs: this.#timing.durationMs });
  }

  renew(): Promise<Attempt> {
    const { durationMs } = this.#timing;
    return this.#ask({ ...this.#base(), action: 'renew', token: this.#token, durationMs, visitMark: this.#visitMark });
  }

  async release(): Promise<void> {
    await this.#ask({ ...this.#base(), action: 'release', token: this.#token });
  }

  #base() {
    return { version: VERSION, cluster: this.#cluster, holder: this.#holder, timeMs: this.#ports.clock.now() } as const;
  }

  async #ask(request: Parameters<LeaseClient['lease']>[0]): Promise<Attempt> {
    try {
      const answer = await this.#client.lease(request, this.#timing.renewDeadlineMs);
      if (answer.type !== 'granted') {
        return answer.type === 'refused'
          ? { type: 'refused', why: `held by ${answer.holder ?? 'nobody'}`, retryAfterMs: answer.retryAfterMs }
          : { type: 'refused', why: 'released' };
      }
      this.#token = answer.token;
      // A list is named until it is known to have arrived.
      if (answer.visitMark !== undefined && answer.visitMark !== this.#visitMark) {
        this.#visitMark = answer.visitMark;
        this.#onVisit(answer.visit);
      }
      return { type: 'held' };
    } catch (e) {
      return { type: 'refused', why: e instanceof Error ? e.message : String(e) };
    }
  }
}
