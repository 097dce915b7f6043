import { encode } from '../../../../events/envelope/decode.ts';
import {
  type AnswerItem,
  type LeaseRequest,
  type ReconcileItem,
  type ReconcileRequest,
  VERSION,
} from '../../../../events/envelope/envelope.ts';
import { ID_HEADER, parseSigningKeys, signAnswer } from '../../../../events/envelope/signing.ts';
import { DEFAULT_TIMING } from '../../../../events/relay/leadership/lease-keeper.ts';
import { Metrics } from '../../../../events/relay/metrics/metrics.ts';
import type { Http, HttpRequest, HttpResponse } from '../../../../events/relay/ports.ts';
import { Relay } from '../../../../events/relay/relay.ts';
import { defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import { anyController, type Controller } from '../../../../functions/core/controller.ts';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import { vmi } from '../../../../functions/vmi/reads.ts';
import { vmiWrites } from '../../../../functions/vmi/writes.ts';
import { ScriptedHttp } from './scripted-http.ts';
import { VirtualTime } from './virtual-time.ts';

type LeaseObject = KubeObject & { spec: { renewTime?: string } };
type Decide = (item: ReconcileItem) => Omit<AnswerItem, 'key'>;
type Answer = Awaited<ReturnType<ScriptedHttp['answer']>>;

const keys = parseSigningKeys('k'.repeat(32));
const WATCH_MS = 45_000;
const definitions = ['virtualmachineinstances', 'virtualmachines', 'kubevirts'].map((plural) => ({
  metadata: { name: `${plural}.kubevirt.io`, uid: plural, resourceVersion: '1' },
  spec: { group: 'kubevirt.io', names: { plural } },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
}));

export const kubeVirt = (resourceVersion: string, configuration: object = {}) => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'KubeVirt',
  metadata: { name: 'kubevirt', namespace: 'kubevirt', uid: 'kv', resourceVersion },
  spec: { configuration },
  status: { phase: 'Deployed' },
});

/** A VMI as the API server would store it. */
export const vmiObject = (name: string, resourceVersion: number) => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(resourceVersion) },
  spec: { domain: { devices: {} } },
});

/** A whole relay between an API server and functions that answer as told. */
export class RelayHarness {
  readonly time = new VirtualTime();
  readonly kube = new ScriptedHttp();
  readonly metrics = new Metrics();
  readonly relay: Relay;
  /** What lists bring, by the plural of the kind. */
  readonly objects: Record<string, readonly unknown[]> = {
    customresourcedefinitions: definitions,
    kubevirts: [kubeVirt('7')],
  };
  /** Keys delivered, in order. */
  readonly delivered: string[] = [];
  decide: Decide = () => ({ outcome: { type: 'done' }, actions: [] });
  /** Answers some requests otherwise. */
  instead: (request: HttpRequest) => Answer | undefined = () => undefined;
  /** How long the API server takes. */
  latencyMs = 1;
  /** The API server ends watches in due time, as it should. */
  endsWatches = true;
  #lease: LeaseObject | undefined;

  constructor(controllers: readonly Controller[] = [anyController(vmi)]) {
    const { ports } = this.time;
    this.kube.answer = async (request) => {
      if (this.latencyMs > 0) await this.#pause(this.latencyMs);
      return this.instead(request) ?? this.#answer(request);
    };
    this.relay = new Relay({
      controllers,
      writes: [vmiWrites],
      cluster: {
        request: (r) => this.kube.request(r),
        stream: async (r) => {
          const stream = await this.kube.stream(r);
          ports.timers.after(WATCH_MS, () => {
            if (this.endsWatches) this.kube.streams.find((s) => s === stream)?.end();
          });
          return stream;
        },
      },
      leases: this.kube,
      server: 'https://cluster.example:6443',
      metrics: this.metrics,
      functions: () => ({ http: this.#functions(), basePath: '' }),
      keys,
      ports,
      namespace: 'kubevirt',
      identity: 'me',
      parameters: defaultProcessParameters,
      timing: DEFAULT_TIMING,
    });
  }

  /** Starts the relay and lets it come to lead. */
  async start(): Promise<this> {
    void this.relay.run();
    await this.time.advance(1000);
    return this;
  }

  /** Age of the Lease's last renewal. */
  get leaseAgeMs(): number {
    return this.time.now - Date.parse(this.#lease?.spec.renewTime ?? '');
  }

  /** Tells of a change on the newest watch of a kind. */
  watched(plural: string, object: unknown, type: 'ADDED' | 'MODIFIED' | 'DELETED' = 'MODIFIED'): void {
    const stream = this.kube.streams.findLast((s) => s.path.split('?')[0]?.endsWith(`/${plural}`));
    stream?.send({ type, object });
  }

  /** One series of the metrics as text, or `undefined`. */
  async series(start: string): Promise<string | undefined> {
    return (await this.metrics.text()).split('\n').find((line) => line.startsWith(start));
  }

  #answer({ method, path, body }: HttpRequest): Answer {
    const [plain = '', query = ''] = path.split('?', 2);
    const segments = plain.split('/');
    if (plain === '/version') return { status: 200, body: { gitVersion: 'v1.36.3' } };
    if (plain === '/api/v1/namespaces/kube-system')
      return { status: 200, body: { metadata: { name: 'kube-system', uid: 'cluster' } } };
    if (plain.includes('/secrets')) return { status: 200, body: { data: { key: btoa('s'.repeat(40)) } } };
    if (plain.includes('/leases')) return this.#leases(method, body);
    if (query.includes('limit=500')) {
      const items = this.objects[segments.at(-1) ?? ''] ?? [];
      return { status: 200, body: { metadata: { resourceVersion: '10' }, items } };
    }
    if (method === 'GET') return query === '' ? notFound : { status: 200, body: { metadata: {}, items: [] } };
    const object = body === undefined ? undefined : (JSON.parse(String(body)) as KubeObject);
    if (method !== 'POST' || object === undefined) return notFound;
    const uid = `uid-${object.metadata.name}`;
    return { status: 201, body: { ...object, metadata: { ...object.metadata, uid, resourceVersion: '11' } } };
  }

  #leases(method: string, body: HttpRequest['body']): Answer {
    if (method === 'GET') return this.#lease === undefined ? notFound : { status: 200, body: this.#lease };
    this.#lease = JSON.parse(String(body)) as LeaseObject;
    return { status: 200, body: this.#lease };
  }

  #functions(): Http {
    return {
      request: async (http: HttpRequest): Promise<HttpResponse> => {
        await this.#pause(2);
        const id = http.headers[ID_HEADER] ?? '';
        const text = typeof http.body === 'string' ? http.body : Buffer.from(http.body ?? []).toString('utf8');
        if (http.path.endsWith('/lease')) {
          const { durationMs } = JSON.parse(text) as LeaseRequest & { durationMs: number };
          const answer = { type: 'granted', token: 1, renewedAtMs: this.time.now, durationMs, visit: [] };
          const body = new TextEncoder().encode(JSON.stringify({ version: VERSION, ...answer }));
          const token = (JSON.parse(text) as { token?: number }).token ?? 0;
          return {
            status: 200,
            headers: signAnswer(keys, { audience: 'lease', id, token, body }, this.time.now),
            body,
          };
        }
        const request = JSON.parse(text) as ReconcileRequest;
        this.delivered.push(...request.items.map((i) => i.key));
        const items = request.items.map((item) => ({ key: item.key, ...this.decide(item) }));
        const { token, deliveryId } = request;
        const body = encode({ version: VERSION, deliveryId, token, items });
        const audience = http.path.slice('/v1/'.length) as `reconcile/${string}`;
        return { status: 200, headers: signAnswer(keys, { audience, id, token, body }, this.time.now), body };
      },
      stream: () => Promise.reject(new Error('functions answer whole')),
    };
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.time.ports.timers.after(ms, resolve));
  }
}

const notFound = { status: 404, body: { kind: 'Status', reason: 'NotFound', message: 'not found' } };
