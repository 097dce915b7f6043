import type { Http, HttpRequest, HttpResponse, HttpStream } from '../../../events/relay/ports.ts';
import type { WatchEvent } from '../api-server/api-server.ts';
import { ByteStream } from './byte-stream.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

/** What a relay's connection to the API server needs of its keeper: faults can end or stop the whole process. */
export interface Keeper {
  killAndRestart(): void;
  pause(forMs: number): void;
}

const encoder = new TextEncoder();
const encoded = new WeakMap<object, Uint8Array>();

/** A process's way to the API server. */
export class ApiLink implements Http {
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #keeper: Keeper;

  constructor(world: World, process: SimulatedProcess, keeper: Keeper) {
    this.#world = world;
    this.#process = process;
    this.#keeper = keeper;
  }

  request(request: HttpRequest): Promise<HttpResponse> {
    const { time, injector, counts } = this.#world;
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
      const call = { relay: this.#process.name, method: request.method, path: request.path };
      const fault = this.#world.isArmed && isDisturbed(request) ? injector.api(counts.api++, call) : undefined;
      if (fault !== undefined)
        this.#world.trace.say(
          this.#process.name,
          () => `FAULT ${JSON.stringify(fault)} at ${call.method} ${call.path}`,
        );
      const perform = () => {
        time.after(this.#world.latencyMs(), () => {
          if (injector.unreachable('api', time.now)) return;
          if (fault?.what === 'refused') return answer(refusal(fault.status));
          if (fault?.what === 'no-answer' && !fault.happened) return;
          const response = this.#perform(request);
          if (fault?.what === 'no-answer') return;
          if (fault?.what === 'relay-killed') return this.#keeper.killAndRestart();
          answer(response);
        });
      };
      if (fault?.what === 'relay-killed' && !fault.happened) return this.#keeper.killAndRestart();
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
      body: encoder.encode(JSON.stringify(response.body)),
    };
  }

  stream({ path }: HttpRequest): Promise<HttpStream> {
    const { time, injector } = this.#world;
    return new Promise((resolve, reject) => {
      if (this.#process.isDead) return;
      time.after(this.#world.latencyMs(), () => {
        if (injector.unreachable('api', time.now))
          return void time.after(5_000, () => this.#process.enter(() => reject(new Error('connection timed out'))));
        const stream = this.#open(path);
        time.after(this.#world.latencyMs(), () => this.#process.enter(() => resolve(stream)));
      });
    });
  }

  /** Events arrive in their order, each after its way; one that is late holds up those after it. */
  #open(path: string): HttpStream {
    const { time, injector, counts, server, trace } = this.#world;
    const [, plural = '', query = ''] = /([^/?]+)\?(.*)$/.exec(path) ?? [];
    const stream = new ByteStream(this.#process);
    let notBefore = 0;
    let isOpen = true;
    const end = () => {
      isOpen = false;
      watch.close();
    };
    const send = (event: WatchEvent, lateMs = 0) => {
      notBefore = Math.max(notBefore, time.now + this.#world.latencyMs() + injector.lagMs(plural) + lateMs);
      time.after(notBefore - time.now, () => {
        if (!injector.unreachable('api', time.now)) stream.push(bytesOf(event));
        else stream.fail(new Error('connection reset'));
      });
    };
    const deliver = (event: WatchEvent) => {
      if (!isOpen) return;
      const fault =
        this.#world.isArmed && event.type !== 'BOOKMARK'
          ? injector.watchEvent(counts.watchEvents++, plural)
          : undefined;
      if (fault !== undefined)
        trace.say(this.#process.name, () => `FAULT ${JSON.stringify(fault)} at ${event.type} of ${plural}`);
      if (fault?.what === 'cut' || fault?.what === 'expired') {
        if (fault.what === 'expired') server.compact();
        isOpen = false;
        time.after(0, () => {
          watch.close();
          stream.fail(new Error('connection reset'));
        });
        return;
      }
      send(event, fault?.what === 'late' ? fault.byMs : 0);
      if (fault?.what === 'doubled') send(event);
    };
    const opened = server.watch(path, deliver);
    if ('status' in opened) {
      const body = encoder.encode(JSON.stringify(opened.body));
      stream.push(body);
      stream.end();
      return { status: opened.status, chunks: stream.chunks, cut: () => undefined };
    }
    const watch = opened;
    const seconds = Number(/timeoutSeconds=(\d+)/.exec(query)?.[1] ?? 300);
    time.after(seconds * 1000, () => {
      if (!isOpen) return;
      const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: server.resourceVersion } } } as const;
      if (query.includes('allowWatchBookmarks=true')) send(bookmark);
      end();
      time.after(Math.max(0, notBefore - time.now), () => stream.end());
    });
    return {
      status: 200,
      chunks: stream.chunks,
      cut: () => {
        end();
        stream.fail(new Error('aborted'));
      },
    };
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

/** A change goes to many watches; it is encoded once. */
function bytesOf(event: WatchEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const bytes = encoder.encode(`${JSON.stringify(event)}\n`);
  encoded.set(event, bytes);
  return bytes;
}
