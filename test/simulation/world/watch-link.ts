import type { HttpStream } from '../../../events/relay/ports.ts';
import type { WatchEvent } from '../api-server/ports.ts';
import type { WatchFault } from '../faults/injector.ts';
import { ByteStream } from './byte-stream.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

const encoder = new TextEncoder();
const encoded = new WeakMap<object, Uint8Array>();
const DEFAULT_SECONDS = 300;

/** One watch of a process: events arrive in their order, each after its way; one that is late holds up those after it. */
export class WatchLink implements HttpStream {
  readonly status: number;
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #plural: string;
  readonly #stream: ByteStream;
  readonly #close: () => void;
  /** Whether the server's end still tells of events. */
  #tells = true;
  #notBefore = 0;

  constructor(world: World, process: SimulatedProcess, path: string) {
    const [, plural = '', query = ''] = /([^/?]+)\?(.*)$/.exec(path) ?? [];
    this.#world = world;
    this.#process = process;
    this.#plural = plural;
    this.#stream = new ByteStream(process);
    const opened = world.server.watch(path, (event) => this.#happened(event));
    if ('status' in opened) {
      this.status = opened.status;
      this.#close = () => undefined;
      this.#stream.push(encoder.encode(JSON.stringify(opened.body)));
      this.#stream.end();
      return;
    }
    this.status = 200;
    this.#close = () => opened.close();
    if (!this.#tells) opened.close();
    const seconds = Number(/timeoutSeconds=(\d+)/.exec(query)?.[1] ?? DEFAULT_SECONDS);
    world.time.after(seconds * 1000, () => this.#timeIsUp(query.includes('allowWatchBookmarks=true')));
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#stream.chunks;
  }

  cut(): void {
    this.#endTelling();
    this.#stream.fail(new Error('aborted'));
  }

  #happened(event: WatchEvent): void {
    if (!this.#tells || this.#process.isDead) return this.#endTelling();
    const fault = event.type === 'BOOKMARK' ? undefined : this.#fault(event.type);
    switch (fault?.what) {
      case 'silent':
        return this.#endTelling();
      case 'cut':
        return this.#break();
      case 'expired':
        this.#world.server.compact();
        return this.#break();
      case 'expired-inside': {
        this.#world.server.compact();
        const gone = {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          code: 410,
          reason: 'Expired',
        } as const;
        this.#send({ type: 'ERROR', object: gone });
        return this.#endTelling();
      }
      case 'late':
        return this.#send(event, fault.byMs);
      case 'doubled':
        this.#send(event);
        return this.#send(event);
      case undefined:
        return this.#send(event);
    }
  }

  #fault(type: string): WatchFault | undefined {
    const { injector, places, trace, isArmed } = this.#world;
    if (!isArmed) return undefined;
    const fault = injector.watchEvent(places.watchEvents.push(`${type} ${this.#plural}`) - 1, this.#plural);
    if (fault !== undefined)
      trace.say(this.#process.name, () => `FAULT ${JSON.stringify(fault)} at ${type} of ${this.#plural}`);
    return fault;
  }

  #send(event: WatchEvent, lateMs = 0): void {
    const { time, injector } = this.#world;
    const arrivesAt = time.now + this.#world.latencyMs() + injector.lagMs(this.#plural) + lateMs;
    this.#notBefore = Math.max(this.#notBefore, arrivesAt);
    time.after(this.#notBefore - time.now, () => {
      if (injector.unreachable('api', time.now)) this.#break();
      else this.#stream.push(bytesOf(event));
    });
  }

  #timeIsUp(bookmarks: boolean): void {
    if (!this.#tells) return;
    const { time, server } = this.#world;
    const object = { metadata: { resourceVersion: server.resourceVersion } };
    if (bookmarks) this.#send({ type: 'BOOKMARK', object } as WatchEvent);
    this.#endTelling();
    time.after(Math.max(0, this.#notBefore - time.now), () => this.#stream.end());
  }

  #break(): void {
    this.#endTelling();
    this.#stream.fail(new Error('connection reset'));
  }

  #endTelling(): void {
    this.#tells = false;
    // The first events come while the watch is still being opened.
    this.#close?.();
  }
}

/** A change goes to many watches; it is encoded once. */
function bytesOf(event: WatchEvent): Uint8Array {
  const known = encoded.get(event);
  if (known) return known;
  const bytes = encoder.encode(`${JSON.stringify(event)}\n`);
  encoded.set(event, bytes);
  return bytes;
}
