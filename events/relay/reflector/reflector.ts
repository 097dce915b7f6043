/**
 * Keeps one kind's cache in step with the API server: list, watch from there, resume from the last version; a version that is
 * too old (410) or a demand from outside lists again.
 *
 * ```text
 *  idle --start--> listing --ok--> watching --ended/silent--> watching (from the last version)
 *                     ^  |fail: back-off    |410, relist()
 *                     +--+------------------+
 * ```
 * From every state but `stopped` some timer or request is pending, so no state is a dead end.
 */

import type { KindCache } from '../cache/kind-cache.ts';
import type { KubeApi } from '../kube/api.ts';
import { ApiRefusal } from '../kube/errors.ts';
import { pathOf } from '../kube/paths.ts';
import type { HttpStream, Ports } from '../ports.ts';
import { sleep } from '../ports.ts';
import { listPages } from './list-pages.ts';
import { type Scope, selectorOf } from './scope.ts';
import { wantedForm } from './wanted-form.ts';
import { watchEvents } from './watch-stream.ts';

/** The server ends each watch after this time; so a watch that goes on without a byte for longer is dead. */
const WATCH_SECONDS = 45;
const SILENCE_MS = (WATCH_SECONDS + 10) * 1000;
const MAX_BACKOFF_MS = 15_000;
/** A kind is to be listed within a second of being served. */
const MAX_BACKOFF_WHILE_STARTING_MS = 500;
/** One that ends sooner and brings nothing is not opened again without a pause. */
const SHORTEST_WATCH_MS = 1_000;

export class Reflector {
  readonly cache: KindCache;
  readonly #api: KubeApi;
  readonly #ports: Ports;
  readonly #scope: Scope;
  #stopped = false;
  /** Since a watch last went well: a list alone proves little. */
  #failures = 0;
  #stream: HttpStream | undefined;
  /** Wanted lists that are not done: the token to list under, and who waits. */
  #wanted: { token: number; done: (() => void)[] } | undefined;
  #wake: (() => void) | undefined;
  #watching = false;
  #heardAt: number;
  #forbidden: string | undefined;
  #errors = 0;

  constructor(cache: KindCache, api: KubeApi, ports: Ports, scope: Scope = { selector: selectorOf(cache.kind) }) {
    this.cache = cache;
    this.#api = api;
    this.#ports = ports;
    this.#scope = scope;
    this.#heardAt = ports.clock.monotonic();
  }

  /** Time since the last word about the kind: a list, an event, or a watch's end in due time. */
  get silentMs(): number {
    return this.#ports.clock.monotonic() - this.#heardAt;
  }

  /** Lists and watches that failed so far. */
  get errors(): number {
    return this.#errors;
  }

  /** Why the kind is not followed as it should be; `undefined`: it is. */
  get trouble(): string | undefined {
    if (this.#forbidden !== undefined) return `forbidden: ${this.#forbidden}`;
    return this.silentMs > SILENCE_MS ? `no word for ${Math.round(this.silentMs / 1000)} s` : undefined;
  }

  /** Whether the kind has been listed and its watch is open. */
  get healthy(): boolean {
    return this.cache.position !== undefined && this.#watching;
  }

  start(token: number): void {
    this.#wanted = { token, done: [] };
    void this.#run();
  }

  /** Lists again from the newest state and swaps the result in; resolves when that is done, or will not be: after `stop`. */
  relist(token: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = { token, done: [...(this.#wanted?.done ?? []), resolve] };
      this.#stream?.cut();
      this.#wake?.();
    });
  }

  /** The cache is left as it is from now on. */
  stop(): void {
    this.#stopped = true;
    this.#stream?.cut();
    this.#wake?.();
    for (const done of this.#wanted?.done ?? []) done();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#wanted !== undefined || this.cache.position === undefined) await this.#list();
        else await this.#watch(this.cache.position);
      } catch (e) {
        if (this.#stopped) return;
        const isExpired = e instanceof ApiRefusal && e.code === 410;
        if (isExpired) this.#wanted ??= { token: this.cache.listedUnder, done: [] };
        // A version that expired and a watch that was cut on purpose are no failures, unless it goes on like this.
        const isExpected = isExpired || (this.#wanted !== undefined && !(e instanceof ApiRefusal));
        if (isExpected && this.#failures === 0) this.#failures++;
        else await this.#backOff(e);
      }
    }
  }

  async #list(): Promise<void> {
    const wanted = this.#wanted ?? { token: this.cache.listedUnder, done: [] };
    const kind = this.cache.kind;
    const path = pathOf(kind, this.#scope.namespace);
    const listed = await listPages(this.#api, path, this.#scope.selector, wantedForm(kind, 'list'));
    if (this.#stopped) return;
    this.#heard();
    this.cache.replace(listed.objects, listed.position, wanted.token);
    // A later demand, made while this list was under way, stands.
    if (this.#wanted === wanted) this.#wanted = undefined;
    else if (this.#wanted)
      this.#wanted = { token: this.#wanted.token, done: this.#wanted.done.filter((d) => !wanted.done.includes(d)) };
    for (const done of wanted.done) done();
  }

  async #watch(from: string): Promise<void> {
    const kind = this.cache.kind;
    const query = [
      'watch=true',
      'allowWatchBookmarks=true',
      `timeoutSeconds=${WATCH_SECONDS}`,
      `resourceVersion=${from}`,
      this.#scope.selector,
    ];
    const stream = await this.#api.stream(
      `${pathOf(kind, this.#scope.namespace)}?${query.filter((q) => q !== '').join('&')}`,
      wantedForm(kind, 'watch'),
    );
    this.#stream = stream;
    if (this.#stopped || this.#wanted) stream.cut();
    const openedAt = this.#ports.clock.monotonic();
    let cancelSilence = this.#ports.timers.after(SILENCE_MS, () => stream.cut());
    let isBarren = true;
    try {
      this.#watching = true;
      for await (const event of watchEvents(stream.chunks)) {
        cancelSilence();
        cancelSilence = this.#ports.timers.after(SILENCE_MS, () => stream.cut());
        if (this.#stopped || this.#wanted) return;
        this.#heard();
        if (event.type === 'ERROR')
          throw new ApiRefusal(event.object.code ?? 500, '', event.object.message ?? 'watch error');
        if (event.type === 'BOOKMARK') this.cache.bookmarked(event.object.metadata.resourceVersion ?? from);
        else this.cache.watched(event.type, event.object);
        this.#failures = 0;
        isBarren = false;
      }
      if (isBarren && this.#ports.clock.monotonic() - openedAt < SHORTEST_WATCH_MS)
        throw new Error('the watch ended at once');
      this.#failures = 0;
      this.#heard();
    } finally {
      this.#watching = false;
      cancelSilence();
      this.#stream = undefined;
      stream.cut();
    }
  }

  #heard(): void {
    this.#heardAt = this.#ports.clock.monotonic();
    this.#forbidden = undefined;
  }

  async #backOff(e: unknown): Promise<void> {
    this.#errors++;
    if (e instanceof ApiRefusal) this.#forbidden = e.code === 403 ? e.message : undefined;
    const most = isStarting(e) ? MAX_BACKOFF_WHILE_STARTING_MS : MAX_BACKOFF_MS;
    const ms = Math.min(most, 100 * 2 ** this.#failures) * (0.5 + this.#ports.random.next() / 2);
    this.#failures++;
    this.#ports.log.warn('reflector: trying again', {
      kind: this.cache.kind.kind,
      afterMs: Math.round(ms),
      error: String(e),
    });
    await Promise.race([sleep(this.#ports.timers, ms), new Promise<void>((resolve) => (this.#wake = resolve))]);
    this.#wake = undefined;
  }
}

/** A kind that has just been defined is not found, or its storage is not ready, for a moment. */
function isStarting(e: unknown): boolean {
  return e instanceof ApiRefusal && (e.code === 404 || e.code === 429 || e.code === 503);
}
