import { type AnswerItem, type ReconcileItem, VERSION } from '../../../../events/envelope/envelope.ts';
import { Applier } from '../../../../events/relay/apply/apply.ts';
import { Caches } from '../../../../events/relay/cache/caches.ts';
import { Delivery } from '../../../../events/relay/delivery/delivery.ts';
import type { DeliveryParts } from '../../../../events/relay/delivery/delivery-parts.ts';
import { EventRecorder } from '../../../../events/relay/events/recorder.ts';
import { KubeApi } from '../../../../events/relay/kube/api.ts';
import type { KindState, Reflectors } from '../../../../events/relay/reflector/reflectors.ts';
import { defaultConfiguration, defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import type { Controller } from '../../../../functions/core/controller.ts';
import type { Kind } from '../../../../functions/core/kind.ts';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import { gatekeepersFor } from './gatekeepers.ts';
import { ScriptedHttp } from './scripted-http.ts';
import { VirtualTime } from './virtual-time.ts';

type Decide = (controller: string, item: ReconcileItem) => Omit<AnswerItem, 'key'>;

export interface Delivered {
  readonly controller: string;
  readonly item: ReconcileItem;
}

/** Several controllers' ways from a change to their functions, over the same caches. The functions answer as told. */
export class Deliveries {
  readonly time = new VirtualTime();
  readonly caches = new Caches();
  /** In their order, since the last `newKeys`. */
  readonly delivered: Delivered[] = [];
  decide: Decide = () => ({ outcome: { type: 'done' }, actions: [] });
  /** How long a function takes. */
  latencyMs = 5;
  /** Kinds that are not synced. */
  readonly kindStates: Record<string, KindState> = {};
  readonly #deliveries: readonly Delivery[];
  #version = 10;

  constructor(controllers: readonly Controller[], ...objects: readonly KubeObject[]) {
    const { ports } = this.time;
    for (const kind of controllers.flatMap(kindsOf)) this.caches.of(kind);
    for (const read of controllers.flatMap((c) => Object.values(c.reads)))
      this.caches.of(read.kind).addIndex(read.index);
    for (const cache of this.caches.all()) {
      const listed = objects.filter((o) => o.kind === cache.kind.kind).map((o) => this.#stored(o));
      cache.replace(listed, String(this.#version), 1);
    }
    const permit = { mayAct: true, remainingMs: 15_000 };
    const api = new KubeApi(new ScriptedHttp(), ports.timers, () => Promise.resolve());
    const parts: DeliveryParts = {
      caches: this.caches,
      reflectors: {
        stateOf: (kind: Kind) => this.kindStates[kind.kind] ?? 'synced',
        demand: () => undefined,
      } as unknown as Reflectors,
      client: {
        reconcile: async (controller, { deliveryId, token, items }) => {
          for (const item of items) this.delivered.push({ controller, item });
          await new Promise<void>((resolve) => void ports.timers.after(this.latencyMs, resolve));
          const answers = items.map((item) => ({ key: item.key, ...this.decide(controller, item) }));
          return { version: VERSION, deliveryId, token, items: answers };
        },
      },
      applier: new Applier(api, this.caches, permit),
      gatekeeperOf: gatekeepersFor([], ports.log),
      api,
      ports,
      permit,
      cluster: 'c',
      configuration: () => defaultConfiguration('kubevirt', defaultProcessParameters),
      token: () => 1,
      onStaleToken: () => undefined,
    };
    this.#deliveries = controllers.map((c) => new Delivery(c, parts, new EventRecorder(api, ports, 'test', permit)));
    this.caches.onChange((change) => {
      for (const delivery of this.#deliveries) delivery.changed(change);
    });
  }

  /** Begins to deliver; returns what is delivered at the start, which is not counted later. */
  async start(): Promise<string[]> {
    return (await this.startWhole()).map(({ controller, item }) => `${controller} ${item.key}`);
  }
  async startWhole(): Promise<Delivered[]> {
    for (const delivery of this.#deliveries) delivery.start();
    return this.newWhole();
  }

  /** The watch brings objects. One of a kind that nobody reads has no watch. */
  see(...objects: readonly KubeObject[]): void {
    for (const o of objects) this.caches.named(o.kind)?.watched('MODIFIED', this.#stored(o));
  }
  seeGone(...objects: readonly KubeObject[]): void {
    for (const o of objects) this.caches.named(o.kind)?.watched('DELETED', this.#stored(o));
  }
  /** The watch brings what it brought last once more. */
  seeAgain(kind: string, key: string): void {
    const object = this.caches.named(kind)?.get(key);
    if (object !== undefined) this.caches.named(kind)?.watched('MODIFIED', object);
  }

  visitAll(): void {
    for (const delivery of this.#deliveries) delivery.visitAll();
  }

  /** `<controller> <key>` of each delivery since the last call, once all is quiet. */
  async newKeys(): Promise<string[]> {
    return (await this.newWhole()).map(({ controller, item }) => `${controller} ${item.key}`);
  }
  async newWhole(): Promise<Delivered[]> {
    await this.time.advance(900);
    return this.delivered.splice(0);
  }

  #stored(object: KubeObject): KubeObject {
    const { metadata } = object;
    const resourceVersion = String(++this.#version);
    return { ...object, metadata: { ...metadata, uid: metadata.uid ?? `uid-${metadata.name}`, resourceVersion } };
  }
}

function kindsOf(c: Controller): Kind[] {
  return [c.primary, ...Object.values(c.reads).map((r) => r.kind), ...(c.keys ?? []).map((s) => s.kind)];
}
