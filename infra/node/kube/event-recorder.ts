import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { timestamp } from '../node/time.ts';
import { hasStatus, type KubeClient } from './client.ts';
import { paths } from './paths.ts';

/** Whom an event is about; objects without a namespace have their events in `default`. */
export type Involved = Pick<KubeObject, 'apiVersion' | 'kind'> & {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
};

export type EventType = 'Normal' | 'Warning';

interface Told {
  readonly path: string;
  readonly atMs: number;
  readonly count: number;
}

/** The API server refuses longer ones. */
const MESSAGE_LIMIT = 1024;
/** What is still so is told again that often: the API server forgets events after an hour. */
const AGAIN_MS = 10 * 60_000;

/**
 * Events of one component. Callers say what is so as often as they find it; it is written once, and counted up while it lasts.
 * Nothing depends on events: what goes wrong here is logged.
 */
export class EventRecorder {
  readonly #client: KubeClient;
  readonly #source: { readonly component: string; readonly host: string };
  readonly #log: (line: string) => void;
  readonly #told = new Map<string, Told>();

  constructor(client: KubeClient, component: string, host: string, log: (line: string) => void) {
    this.#client = client;
    this.#source = { component, host };
    this.#log = log;
  }

  async tell(involved: Involved, type: EventType, reason: string, message: string): Promise<void> {
    const nowMs = Date.now();
    const key = createHash('sha256')
      .update(JSON.stringify([involved, type, reason, message]))
      .digest('hex');
    const told = this.#told.get(key);
    if (told !== undefined && nowMs - told.atMs < AGAIN_MS) return;
    this.#forgetOlderThan(nowMs - 2 * AGAIN_MS);
    try {
      this.#told.set(key, await this.#write(told, key, involved, { type, reason, message }, nowMs));
    } catch (error) {
      this.#log(`${involved.kind} ${involved.name}: no event ${reason}, ${String(error)}`);
    }
  }

  async #write(
    told: Told | undefined,
    key: string,
    involvedObject: Involved,
    { type, reason, message }: { readonly type: EventType; readonly reason: string; readonly message: string },
    nowMs: number,
  ): Promise<Told> {
    const lastTimestamp = timestamp(nowMs);
    if (told !== undefined) {
      const count = told.count + 1;
      try {
        await this.#client.patch(told.path, 'merge-patch', { count, lastTimestamp });
        return { ...told, atMs: nowMs, count };
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
      }
    }
    const namespace = involvedObject.namespace ?? 'default';
    const name = `${involvedObject.name}.${key.slice(0, 8)}${nowMs.toString(16)}`;
    await this.#client.post(paths.events(namespace), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject,
      type,
      reason,
      message: message.slice(0, MESSAGE_LIMIT),
      source: this.#source,
      firstTimestamp: lastTimestamp,
      lastTimestamp,
      count: 1,
    });
    return { path: `${paths.events(namespace)}/${name}`, atMs: nowMs, count: 1 };
  }

  #forgetOlderThan(limitMs: number): void {
    for (const [key, { atMs }] of this.#told) if (atMs < limitMs) this.#told.delete(key);
  }
}

export function involved({ apiVersion, kind, metadata }: KubeObject): Involved {
  const { name, namespace, uid } = metadata;
  return { apiVersion, kind, name, namespace, uid };
}
