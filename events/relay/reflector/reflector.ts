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
import { selectorOf } from './scope.ts';
import { watchEvents } from './watch-stream.ts';

/** The server ends each watch after this time; so a watch that goes on without a byte for longer is dead. */
const WATCH_SECONDS = 45;
const SILENCE_MS = (WATCH_SECONDS + 10) * 1000;
const MAX_BACKOFF_MS = 15_000;

export class Reflector {
  readonly cache: KindCache;
  readonly #api: KubeApi;
  readonly #ports: Ports;
  #stopped = false;
  #failures = 0;
  #stream: HttpStream | undefined;
  /** Wanted lists that are not done: the token to list under, and who waits. */
  #wanted: { token: number; done: (() => void)[] } | undefined;
  #wake: (() => void) | undefined;
  #watching = false;

  constructor(cache: KindCache, api: KubeApi, ports: Ports) {
    this.cache = cache;
    this.#api = api;
    this.#ports = ports;
  }

  /** Whether the kind has been listed and its watch is open. */
  get healthy(): boolean {
    return this.cache.position !== undefined && this.#watching;
  }

  start(token: number): void {
    this.#wanted = { token, done: [] };
    void this.#run();
  }

  /** Lists again from the newest state and swaps the result in; resolves when that is done. */
  relist(token: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = { token, done: [...(this.#wanted?.done ?? []), resolve] };
      this.#stream?.cut();
      this.#wake?.();
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#stream?.cut();
    this.#wake?.();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#wanted !== undefined || this.cache.position === undefined) await this.#list();
        else await this.#watch(this.cache.position);
        this.#failures = 0;
      } catch (e) {
        if (this.#stopped) return;
        if (e instanceof ApiRefusal && e.code === 410) {
          this.#wanted ??= { token: this.cache.listedUnder, done: [] };
          continue;
        }
        // A watch that was cut on purpose is no failure.
        if (this.#wanted !== undefined && this.#failures === 0 && !(e instanceof ApiRefusal)) this.#failures++;
        else await this.#backOff(e);
      }
    }
  }

  async #list(): Promise<void> {
    const wanted = this.#wanted ?? { token: this.cache.listedUnder, done: [] };
    const kind = this.cache.kind;
    const listed = await listPages(this.#api, pathOf(kind), selectorOf(kind));
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
      selectorOf(kind),
    ];
    const stream = await this.#api.stream(`${pathOf(kind)}?${query.filter((q) => q !== '').join('&')}`);
    this.#stream = stream;
    if (this.#stopped || this.#wanted) stream.cut();
    let cancelSilence = this.#ports.timers.after(SILENCE_MS, () => stream.cut());
    try {
      this.#watching = true;
      for await (const event of watchEvents(stream.chunks)) {
        cancelSilence();
        cancelSilence = this.#ports.timers.after(SILENCE_MS, () => stream.cut());
        if (this.#wanted) return;
        if (event.type === 'ERROR')
          throw new ApiRefusal(event.object.code ?? 500, '', event.object.message ?? 'watch error');
        if (event.type === 'BOOKMARK') this.cache.bookmarked(event.object.metadata.resourceVersion ?? from);
        else this.cache.watched(event.type, event.object);
        this.#failures = 0;
      }
    } finally {
      this.#watching = false;
      cancelSilence();
      this.#stream = undefined;
      stream.cut();
    }
  }

  async #backOff(e: unknown): Promise<void> {
    const ms = Math.min(MAX_BACKOFF_MS, 100 * 2 ** this.#failures) * (0.5 + this.#ports.random.next() / 2);
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
