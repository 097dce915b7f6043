import type { Http, HttpRequest, HttpResponse, HttpStream } from '../../../events/relay/ports.ts';
import { requestLike } from '../faults/places.ts';
import { encodedBody } from './encoded-body.ts';
import type { Keeper } from './keeper.ts';
import type { SimulatedProcess } from './process.ts';
import { WatchLink } from './watch-link.ts';
import type { World } from './world.ts';

const encoder = new TextEncoder();
/** How long a connection that nothing answers is tried. */
const CONNECT_MS = 5_000;

/** A process's way to the API server. */
export class ApiLink implements Http {
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #keeper: Keeper;
  /** What is watched at present. */
  readonly #watched = new Set<string>();

  constructor(world: World, process: SimulatedProcess, keeper: Keeper) {
    this.#world = world;
    this.#process = process;
    this.#keeper = keeper;
  }

  request(request: HttpRequest): Promise<HttpResponse> {
    const { time, injector, places } = this.#world;
    return new Promise((resolve, reject) => {
      if (this.#process.isDead) return;
      const giveUp = time.after(request.timeoutMs, () =>
        this.#process.enter(() => reject(new Error(`no answer within ${request.timeoutMs} ms`))),
      );
      const answer = (response: HttpResponse) =>
        time.after(this.#world.latencyMs(), () => {
          if (injector.unreachable('api', time.now)) return;
          this.#process.enter(() => {
            giveUp();
            resolve(response);
          });
        });
      const broken = () =>
        this.#process.enter(() => {
          giveUp();
          reject(new Error('connection reset'));
        });
      const call = { relay: this.#process.name, method: request.method, path: request.path };
      const fault =
        this.#world.isArmed && isDisturbed(request)
          ? injector.api(places.api.push(requestLike(call.method, call.path)) - 1, call)
          : undefined;
      if (fault !== undefined)
        this.#world.trace.say(
          this.#process.name,
          () => `FAULT ${JSON.stringify(fault)} at ${call.method} ${call.path}`,
        );
      const perform = () => {
        time.after(this.#world.latencyMs(), () => {
          if (injector.unreachable('api', time.now)) return;
          if (fault?.what === 'refused') return answer(refusal(fault.status));
          const isReset = fault?.what === 'reset';
          if (fault?.what === 'no-answer' && !fault.happened) return;
          if (isReset && !fault.happened) return broken();
          const response = this.#perform(request);
          if (fault?.what === 'no-answer') return;
          if (isReset) return broken();
          if (fault?.what === 'relay-killed') return this.#keeper.killAndRestart();
          answer(response);
        });
      };
      if (fault?.what === 'relay-killed' && !fault.happened) return this.#keeper.killAndRestart();
      if (fault?.what === 'relay-stopped') this.#keeper.stopAndRestart();
      if (fault?.what !== 'relay-paused') return perform();
      this.#keeper.pause(fault.forMs);
      // What the process was about to send leaves when it wakes.
      this.#process.enter(perform);
    });
  }

  #perform({ method, path, headers, body }: HttpRequest): HttpResponse {
    const parsed = body === undefined ? undefined : (JSON.parse(String(body)) as unknown);
    const contentType = headers['content-type'];
    const request = {
      method,
      path,
      ...(parsed !== undefined && { body: parsed }),
      ...(contentType && { contentType }),
    };
    const response = this.#world.serve(this.#process.name, request);
    return {
      status: response.status,
      headers: response.headers ?? {},
      body: encoder.encode(encodedBody(response.body, path)),
    };
  }

  stream({ path }: HttpRequest): Promise<HttpStream> {
    const { time, injector, complaints } = this.#world;
    return new Promise((resolve, reject) => {
      if (this.#process.isDead) return;
      time.after(this.#world.latencyMs(), () => {
        if (injector.unreachable('api', time.now)) {
          time.after(CONNECT_MS, () => this.#process.enter(() => reject(new Error('connection timed out'))));
          return;
        }
        const watch = new WatchLink(this.#world, this.#process, path);
        const what = path.replaceAll(/[?&](timeoutSeconds|resourceVersion)=[^&]*/g, '');
        if (this.#watched.has(what)) complaints.push(`${this.#process.name} watches ${what} twice`);
        if (watch.status === 200) this.#watched.add(what);
        const cut = () => {
          this.#watched.delete(what);
          watch.cut();
        };
        time.after(this.#world.latencyMs(), () =>
          this.#process.enter(() => resolve({ status: watch.status, chunks: watch.chunks, cut })),
        );
      });
    });
  }
}

/** Requests that faults are counted by: what a controller's keys cause. */
function isDisturbed({ method, path }: HttpRequest): boolean {
  if (path.includes('/leases') || path.includes('/customresourcedefinitions')) return false;
  return method !== 'GET' || (!path.includes('limit=') && path.startsWith('/ap') && !path.endsWith('/kube-system'));
}

function refusal(status: number): HttpResponse {
  const reason = { 409: 'Conflict', 422: 'Invalid', 429: 'TooManyRequests', 500: 'InternalError' }[status] ?? '';
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, reason, message: 'injected' };
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {};
  return { status, headers, body: encoder.encode(JSON.stringify(body)) };
}
