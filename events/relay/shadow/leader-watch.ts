import type { KubeObject } from '../../../functions/core/objects.ts';
import type { KubeApi } from '../kube/api.ts';
import { leasePath } from '../leadership/kube-lease.ts';
import type { Cancel, Ports } from '../ports.ts';

interface LeaseObject extends KubeObject {
  readonly spec: { readonly holderIdentity?: string; readonly leaseDurationSeconds?: number };
}

const LOOK_EVERY_MS = 2_000;
const DEFAULT_DURATION_S = 15;

/** Looks, and only looks, who holds virt-controller's Lease. By its rules: what counts is when the record was seen to change. */
export class LeaderWatch {
  readonly #api: Pick<KubeApi, 'get'>;
  readonly #path: string;
  readonly #ports: Pick<Ports, 'clock' | 'timers' | 'log'>;
  #record = '';
  #changedAt = 0;
  #validMs = 0;
  #holder: string | undefined;
  #since = 0;
  #cancel: Cancel = () => undefined;

  constructor(api: Pick<KubeApi, 'get'>, namespace: string, ports: Pick<Ports, 'clock' | 'timers' | 'log'>) {
    this.#api = api;
    this.#path = leasePath(namespace);
    this.#ports = ports;
  }

  /** `undefined`: nobody. */
  get holder(): string | undefined {
    const isFresh = this.#ports.clock.monotonic() - this.#changedAt < this.#validMs;
    return isFresh ? this.#holder : undefined;
  }

  /** For how long the same one has held it, as far as was seen; 0: nobody does. */
  get heldForMs(): number {
    return this.holder === undefined ? 0 : this.#ports.clock.monotonic() - this.#since;
  }

  start(): void {
    void this.#look().finally(() => {
      this.#cancel = this.#ports.timers.after(LOOK_EVERY_MS, () => this.start());
    });
  }

  stop(): void {
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#ports;
    try {
      const lease = await this.#api.get<LeaseObject>(this.#path);
      const { holderIdentity = '', leaseDurationSeconds = DEFAULT_DURATION_S } = lease?.spec ?? {};
      const record = JSON.stringify(lease?.spec ?? {});
      if (record === this.#record) return;
      const before = this.holder;
      this.#record = record;
      this.#changedAt = clock.monotonic();
      this.#validMs = leaseDurationSeconds * 1000;
      this.#holder = holderIdentity === '' ? undefined : holderIdentity;
      if (this.#holder === before) return;
      this.#since = clock.monotonic();
      log.info('shadow: leader', { holder: this.#holder ?? 'nobody' });
    } catch (e) {
      log.warn('shadow: the leader is not known', { error: String(e) });
    }
  }
}
