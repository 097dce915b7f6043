/**
 * Writes Kubernetes events beside the reconciling (runtime.md 10): asynchronous, one after another, equal ones counted up. No
 * failure of it ever reaches a key.
 */
import type { EventAction } from '../../../functions/core/action.ts';
import { timestamp } from '../../../functions/core/context.ts';
import { type WritePermit, writeTimeMs } from '../apply/write-permit.ts';
import type { KubeApi } from '../kube/api.ts';
import { ApiRefusal } from '../kube/errors.ts';
import type { Ports } from '../ports.ts';
import { sleep } from '../ports.ts';
import { type Correlated, Correlator } from './correlator.ts';
import { eventName, eventObject, namespaceOf } from './event-object.ts';

/**
 * - `written`: created or counted up.
 * - `refused`: the API server said no, which is final.
 * - `given-up`: it could not be reached, twelve times.
 * - `spam`, `overflow`: dropped before it was sent.
 */
export type EventFate = 'written' | 'refused' | 'given-up' | 'spam' | 'overflow';

type Writable = Extract<Correlated, { type: 'write' }>;

const MAX_WAITING = 1000;
const MAX_TRIES = 12;
const RETRY_PAUSE_MS = 10_000;

export class EventRecorder {
  readonly #api: KubeApi;
  readonly #ports: Ports;
  readonly #component: string;
  readonly #permit: WritePermit;
  readonly #onFate: (fate: EventFate) => void;
  readonly #correlator = new Correlator();
  readonly #waiting: { readonly event: EventAction; readonly atMs: number }[] = [];
  #sending = false;

  constructor(
    api: KubeApi,
    ports: Ports,
    component: string,
    permit: WritePermit,
    onFate: (fate: EventFate) => void = () => undefined,
  ) {
    this.#api = api;
    this.#ports = ports;
    this.#component = component;
    this.#permit = permit;
    this.#onFate = onFate;
  }

  record(event: EventAction): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#onFate('overflow');
      return;
    }
    this.#waiting.push({ event, atMs: this.#ports.clock.now() });
    if (!this.#sending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#sending = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (!this.#permit.mayAct) continue;
      const { event, atMs } = next;
      const correlated = this.#correlator.correlate(event, atMs);
      this.#onFate(correlated.type === 'dropped' ? 'spam' : await this.#write(event, correlated, atMs));
    }
    this.#sending = false;
  }

  /** Only transport errors are tried again; the first pause is a random one, so that many relays do not come back at once. */
  async #write(event: EventAction, correlated: Writable, atMs: number): Promise<EventFate> {
    const name = correlated.stored.name || eventName(event, atMs, this.#ports.random);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#store(event, correlated, name, atMs);
        return 'written';
      } catch (e) {
        const refused = e instanceof ApiRefusal;
        // An earlier try has arrived, only its answer has not.
        if (refused && e.reason === 'AlreadyExists' && attempt > 1) {
          this.#correlator.remember(correlated.key, name);
          return 'written';
        }
        if (refused || attempt === MAX_TRIES || !this.#permit.mayAct) {
          const fields = { reason: event.reason, about: event.regarding.name, error: String(e) };
          this.#ports.log.warn('event not written', fields);
          return refused ? 'refused' : 'given-up';
        }
        await sleep(this.#ports.timers, attempt === 1 ? RETRY_PAUSE_MS * this.#ports.random.next() : RETRY_PAUSE_MS);
      }
    }
  }

  async #store(event: EventAction, { key, message, stored }: Writable, name: string, atMs: number): Promise<void> {
    const leftMs = () => writeTimeMs(this.#permit);
    const path = `/api/v1/namespaces/${encodeURIComponent(namespaceOf(event))}/events`;
    if (stored.name !== '') {
      try {
        await this.#api.request({
          method: 'PATCH',
          path: `${path}/${stored.name}`,
          contentType: 'application/strategic-merge-patch+json',
          body: { count: stored.count, lastTimestamp: timestamp(atMs), message },
          leftMs,
        });
        return;
      } catch (e) {
        // The stored event has expired: it is written anew with the count so far (runtime.md case 74).
        if (!(e instanceof ApiRefusal) || e.code !== 404) throw e;
      }
    }
    const body = eventObject(event, message, this.#component, { ...stored, name }, atMs);
    await this.#api.request({ method: 'POST', path, body, leftMs });
    this.#correlator.remember(key, name);
  }
}
