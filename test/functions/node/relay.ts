import { type ReconcileItem, VERSION } from '../../../events/envelope/envelope.ts';
import { Applier } from '../../../events/relay/apply/apply.ts';
import { Caches } from '../../../events/relay/cache/caches.ts';
import { Delivery } from '../../../events/relay/delivery/delivery.ts';
import { EventRecorder } from '../../../events/relay/events/recorder.ts';
import { KubeApi } from '../../../events/relay/kube/api.ts';
import type { KindState, Reflectors } from '../../../events/relay/reflector/reflectors.ts';
import { defaultConfiguration, defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import { anyController } from '../../../functions/core/controller.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { DaemonSet, Node, Pod, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { node } from '../../../functions/node/reads.ts';
import { gatekeepersFor } from '../../events/relay/support/gatekeepers.ts';
import { ScriptedHttp } from '../../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../../events/relay/support/virtual-time.ts';

const controller = anyController(node);
const kinds: readonly Kind[] = [Node, VirtualMachineInstance, Pod, DaemonSet];

/** The relay's part of the node controller, with a function that finds nothing to do. */
export class NodeRelay {
  readonly time = new VirtualTime();
  readonly delivered: ReconcileItem[] = [];
  readonly kindStates: Record<string, KindState> = {};
  /** How long the function takes. */
  latencyMs = 5;
  readonly #caches = new Caches();
  readonly #delivery: Delivery;
  #version = 10;

  constructor(...objects: readonly KubeObject[]) {
    const { ports } = this.time;
    for (const kind of kinds) this.#caches.of(kind);
    for (const read of Object.values(controller.reads)) this.#caches.of(read.kind).addIndex(read.index);
    for (const kind of kinds) {
      const listed = objects.filter((o) => o.kind === kind.kind).map((o) => this.#stored(o));
      this.#caches.of(kind).replace(listed, String(this.#version), 1);
    }
    const permit = { mayAct: true, remainingMs: 15_000 };
    const api = new KubeApi(new ScriptedHttp(), ports.timers, () => Promise.resolve());
    this.#delivery = new Delivery(
      controller,
      {
        caches: this.#caches,
        reflectors: {
          stateOf: (kind: Kind) => this.kindStates[kind.kind] ?? 'synced',
        } as unknown as Reflectors,
        client: {
          reconcile: async (_name, { deliveryId, token, items }) => {
            this.delivered.push(...items);
            await new Promise<void>((resolve) => void ports.timers.after(this.latencyMs, resolve));
            const answers = items.map(({ key }) => ({ key, outcome: { type: 'done' as const }, actions: [] }));
            return { version: VERSION, deliveryId, token, items: answers };
          },
        },
        applier: new Applier(api, this.#caches, permit),
        gatekeeperOf: gatekeepersFor([], ports.log),
        api,
        ports,
        permit,
        cluster: 'c',
        configuration: () => defaultConfiguration('kubevirt', defaultProcessParameters),
        token: () => 1,
        onStaleToken: () => undefined,
      },
      new EventRecorder(api, ports, 'test', permit),
    );
    this.#caches.onChange((change) => this.#delivery.changed(change));
  }

  /** Begins to deliver; what is delivered at the start is returned, and not counted later. */
  async start(): Promise<readonly string[]> {
    return (await this.startWhole()).map((item) => item.key);
  }
  async startWhole(): Promise<readonly ReconcileItem[]> {
    this.#delivery.start();
    await this.time.advance(1000);
    return this.delivered.splice(0);
  }

  /** The watch brings objects. */
  see(...objects: readonly KubeObject[]): void {
    for (const o of objects) this.#caches.named(o.kind)?.watched('MODIFIED', this.#stored(o));
  }
  seeGone(object: KubeObject): void {
    this.#caches.named(object.kind)?.watched('DELETED', this.#stored(object));
  }

  /** Keys delivered since the last call, once all is quiet. */
  async newKeys(): Promise<readonly string[]> {
    await this.time.advance(1000);
    return this.delivered.splice(0).map((item) => item.key);
  }

  #stored(object: KubeObject): KubeObject {
    const { metadata } = object;
    const resourceVersion = String(++this.#version);
    return { ...object, metadata: { ...metadata, uid: metadata.uid ?? `uid-${metadata.name}`, resourceVersion } };
  }
}
