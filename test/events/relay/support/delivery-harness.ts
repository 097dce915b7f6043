import { encode } from '../../../../events/envelope/decode.ts';
import {
  type AnswerItem,
  type ReconcileItem,
  type ReconcileRequest,
  VERSION,
} from '../../../../events/envelope/envelope.ts';
import { ID_HEADER, parseSigningKeys, signAnswer } from '../../../../events/envelope/signing.ts';
import { Refusals } from '../../../../events/relay/allow-list/refusals.ts';
import { Applier } from '../../../../events/relay/apply/apply.ts';
import { Caches } from '../../../../events/relay/cache/caches.ts';
import { Delivery } from '../../../../events/relay/delivery/delivery.ts';
import { FunctionClient } from '../../../../events/relay/delivery/function-client.ts';
import { EventRecorder } from '../../../../events/relay/events/recorder.ts';
import { KubeApi } from '../../../../events/relay/kube/api.ts';
import type { Http, HttpRequest } from '../../../../events/relay/ports.ts';
import type { KindState, Reflectors } from '../../../../events/relay/reflector/reflectors.ts';
import { defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import { resolveConfiguration } from '../../../../functions/core/configuration/resolve.ts';
import { anyController, defineController } from '../../../../functions/core/controller.ts';
import { Pod, VirtualMachineInstance } from '../../../../functions/core/kinds.ts';
import { byController } from '../../../../functions/core/object-index.ts';
import type { KubeObject, VirtualMachineInstance as Vmi } from '../../../../functions/core/objects.ts';
import { many } from '../../../../functions/core/reads.ts';
import { vmiWrites } from '../../../../functions/vmi/writes.ts';
import { gatekeepersFor } from './gatekeepers.ts';
import { ScriptedHttp } from './scripted-http.ts';
import { VirtualTime } from './virtual-time.ts';

export const controller = anyController(
  defineController({
    name: 'vmi',
    primary: VirtualMachineInstance,
    concurrency: 2,
    eventSource: 'test',
    reads: { pods: many(Pod).by(byController, (v: Vmi) => v.metadata.uid) },
  }),
);

export const vmi = (name: string, rv: number): KubeObject & { spec: object } => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(rv) },
  spec: {},
});

type Decide = (item: ReconcileItem, request: ReconcileRequest) => Omit<AnswerItem, 'key'> | Error;

const keys = parseSigningKeys('k'.repeat(32));

/** A delivery between a function and an API server that answer as told, with all that it was asked. */
export class DeliveryHarness {
  readonly time = new VirtualTime();
  readonly kube = new ScriptedHttp();
  readonly caches = new Caches();
  readonly requests: ReconcileRequest[] = [];
  readonly refusals = new Refusals();
  readonly delivery: Delivery;
  decide: Decide = () => ({ outcome: { type: 'done' }, actions: [] });
  readonly permit = { mayAct: true, remainingMs: 15_000 };
  /** How long a function takes. */
  latencyMs = 5;
  token = 1;
  configured = true;
  staleToken = 0;
  kindStates: Record<string, KindState> = {};
  /** Changes an answer on its way back. */
  tamper: (bytes: Uint8Array, request: ReconcileRequest) => Uint8Array = (bytes) => bytes;

  constructor(...names: string[]) {
    const { ports } = this.time;
    for (const read of Object.values(controller.reads)) this.caches.of(read.kind).addIndex(read.index);
    this.caches.of(VirtualMachineInstance).replace(
      names.map((n) => vmi(n, 5)),
      '10',
      1,
    );
    this.caches.of(Pod).replace([], '10', 1);
    const api = new KubeApi(this.kube, ports.timers, () => Promise.resolve());
    const { permit } = this;
    const configuration = resolveConfiguration(undefined, [], 'kubevirt', defaultProcessParameters);
    this.delivery = new Delivery(
      controller,
      {
        caches: this.caches,
        reflectors: {
          stateOf: (kind: { kind: string }) => this.kindStates[kind.kind] ?? 'synced',
          demand: () => undefined,
        } as unknown as Reflectors,
        client: new FunctionClient(() => ({ http: this.#functions(), basePath: '' }), keys, ports),
        applier: new Applier(api, this.caches, permit),
        gatekeeperOf: gatekeepersFor([vmiWrites], ports.log, this.refusals),
        api,
        ports,
        permit,
        cluster: 'c',
        configuration: () => (this.configured ? configuration : undefined),
        token: () => this.token,
        onStaleToken: () => void this.staleToken++,
      },
      new EventRecorder(api, ports, 'test', permit),
    );
    this.caches.onChange((change) => this.delivery.changed(change));
  }

  /** Keys of each request, in order. */
  get batches(): string[][] {
    return this.requests.map((r) => r.items.map((i) => i.key));
  }

  /** Deliveries of one key. */
  itemsOf(key: string): ReconcileItem[] {
    return this.requests.flatMap((r) => r.items.filter((i) => i.key === key));
  }

  #functions(): Http {
    return {
      request: async (http: HttpRequest) => {
        const request = JSON.parse(Buffer.from(http.body as Uint8Array).toString('utf8')) as ReconcileRequest;
        this.requests.push(request);
        await new Promise<void>((resolve) => void this.time.ports.timers.after(this.latencyMs, resolve));
        const items: AnswerItem[] = [];
        for (const item of request.items) {
          const decided = this.decide(item, request);
          if (decided instanceof Error) throw decided;
          items.push({ key: item.key, ...decided });
        }
        const body = this.tamper(
          encode({ version: VERSION, deliveryId: request.deliveryId, token: request.token, items }),
          request,
        );
        const id = http.headers[ID_HEADER] ?? '';
        return {
          status: 200,
          headers: signAnswer(keys, { audience: 'reconcile/vmi', id, token: request.token, body }, this.time.now),
          body,
        };
      },
      stream: () => Promise.reject(new Error('none')),
    };
  }
}
