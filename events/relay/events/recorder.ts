/**
 * Writes Kubernetes events beside the reconciling: asynchronous, equal ones counted up (runtime.md 10). No failure of it ever
 * reaches a key.
 */
import type { EventAction } from '../../../functions/core/action.ts';
import { timestamp } from '../../../functions/core/context.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { WritePermit } from '../apply/apply.ts';
import type { KubeApi } from '../kube/api.ts';
import { ApiRefusal } from '../kube/errors.ts';
import type { Ports } from '../ports.ts';

interface Written {
  readonly name: string;
  readonly namespace: string;
  readonly firstTimestamp: string;
  count: number;
}

const MAX_KNOWN = 4096;
const MAX_WAITING = 1000;

export class EventRecorder {
  readonly #api: KubeApi;
  readonly #ports: Ports;
  readonly #component: string;
  readonly #permit: WritePermit;
  /** Least recently used first. */
  readonly #known = new Map<string, Written>();
  readonly #waiting: EventAction[] = [];
  #sending = false;
  #sequence = 0;

  constructor(api: KubeApi, ports: Ports, component: string, permit: WritePermit) {
    this.#api = api;
    this.#ports = ports;
    this.#component = component;
    this.#permit = permit;
  }

  record(event: EventAction): void {
    if (this.#waiting.length >= MAX_WAITING) return;
    this.#waiting.push(event);
    if (!this.#sending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#sending = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      if (!this.#permit.mayAct) continue;
      try {
        await this.#write(event);
      } catch (e) {
        this.#ports.log.warn('event not written', {
          reason: event.reason,
          about: event.regarding.name,
          error: String(e),
        });
      }
    }
    this.#sending = false;
  }

  async #write(event: EventAction): Promise<void> {
    const r = event.regarding;
    const key = JSON.stringify([r.kind, r.namespace, r.name, r.uid, event.type, event.reason, event.message]);
    const known = this.#known.get(key);
    const now = timestamp(this.#ports.clock.now());
    if (known !== undefined) {
      known.count++;
      this.#remember(key, known);
      try {
        await this.#api.request({
          method: 'PATCH',
          path: `${eventsPath(known.namespace)}/${known.name}`,
          contentType: 'application/strategic-merge-patch+json',
          body: { count: known.count, lastTimestamp: now, message: event.message },
        });
        return;
      } catch (e) {
        // The stored event has expired: it is written anew with the count so far (runtime.md case 74).
        if (!(e instanceof ApiRefusal) || e.code !== 404) throw e;
      }
    }
    const namespace = r.namespace ?? 'default';
    const written: Written = known ?? { name: '', namespace, firstTimestamp: now, count: 1 };
    const name = `${r.name}.${(BigInt(Math.round(this.#ports.clock.now() * 1e3)) * 1000n + BigInt(this.#sequence++ % 1000)).toString(16)}`;
    await this.#api.request<KubeObject>({
      method: 'POST',
      path: eventsPath(namespace),
      body: this.#object(event, name, namespace, written, now),
    });
    this.#remember(key, { ...written, name, namespace });
  }

  #object(event: EventAction, name: string, namespace: string, written: Written, now: string) {
    const { apiVersion, kind, name: about, namespace: of, uid, resourceVersion } = event.regarding;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject: { apiVersion, kind, name: about, namespace: of, uid, resourceVersion },
      type: event.type,
      reason: event.reason,
      message: event.message,
      source: { component: this.#component },
      reportingComponent: this.#component,
      count: written.count,
      firstTimestamp: written.firstTimestamp,
      lastTimestamp: now,
    };
  }

  #remember(key: string, written: Written): void {
    this.#known.delete(key);
    this.#known.set(key, written);
    if (this.#known.size <= MAX_KNOWN) return;
    const oldest = this.#known.keys().next();
    if (oldest.done !== true) this.#known.delete(oldest.value);
  }
}

function eventsPath(namespace: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
}
