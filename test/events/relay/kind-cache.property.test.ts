// Design, section 4: own writes enter the cache only above the reflector's position; a list always wins, backwards too.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KindCache } from '../../../events/relay/cache/kind-cache.ts';
import { Pod } from '../../../functions/core/kinds.ts';
import { byController, keyOf } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { pod } from './support/objects.ts';

const NAMES = ['a', 'b', 'c'];
const OWNERS = ['o', 'p'];
const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({ type: fc.constant('put' as const), name, owner: fc.constantFrom(...OWNERS), own: fc.boolean() }),
  fc.record({ type: fc.constant('delete' as const), name, own: fc.boolean() }),
  fc.record({ type: fc.constant('answer' as const), which: fc.nat(9) }),
  ...(['event', 'event', 'bookmark', 'list begins', 'list ends'] as const).map((type) =>
    fc.record({ type: fc.constant(type) }),
  ),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** An API server with a history, a reflector that lags behind it, and answers to the relay's own writes that come when they come. */
class World {
  readonly cache = new KindCache(Pod);
  readonly server = new Map<string, KubeObject>();
  /** What a listener has been told. */
  readonly told = new Map<string, KubeObject>();
  readonly #history: { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubeObject }[] = [];
  readonly #answers: (() => void)[] = [];
  #version = 10;
  #uids = 0;
  #seen = 0;
  #list: { objects: KubeObject[]; position: string; seen: number } | undefined;

  constructor() {
    this.cache.addIndex(byController);
    this.cache.onChange(({ old, new: now }) => {
      const key = keyOf((now ?? old) as KubeObject);
      expect(old?.metadata.resourceVersion).toBe(this.told.get(key)?.metadata.resourceVersion);
      if (now === undefined) this.told.delete(key);
      else this.told.set(key, now);
    });
    this.cache.replace([], '10', 1);
  }

  step(s: Step): void {
    if (s.type === 'put') {
      const known = this.server.get(s.name);
      const uid = known?.metadata.uid ?? `u${++this.#uids}`;
      const object = pod(s.name, ++this.#version, { owner: s.owner }, uid);
      this.server.set(s.name, object);
      this.#history.push({ type: known === undefined ? 'ADDED' : 'MODIFIED', object });
      if (s.own) this.#answers.push(() => this.cache.wrote(object));
    } else if (s.type === 'delete') {
      const known = this.server.get(s.name);
      if (known === undefined) return;
      this.server.delete(s.name);
      const metadata = { ...known.metadata, resourceVersion: String(++this.#version) };
      this.#history.push({ type: 'DELETED', object: { ...known, metadata } });
      if (s.own) this.#answers.push(() => this.cache.removed(keyOf(known), known.metadata.uid ?? ''));
    } else if (s.type === 'answer') this.#answers.splice(s.which % Math.max(1, this.#answers.length), 1)[0]?.();
    else if (s.type === 'event') this.#event();
    else if (s.type === 'bookmark') {
      if (this.#seen === this.#history.length) this.cache.bookmarked(String(this.#version));
    } else if (s.type === 'list begins')
      this.#list = { objects: [...this.server.values()], position: String(this.#version), seen: this.#history.length };
    else if (this.#list !== undefined) {
      this.cache.replace(this.#list.objects, this.#list.position, 1);
      this.#seen = this.#list.seen;
      this.#list = undefined;
    }
  }

  /** All that is still on its way arrives. */
  settle(answersFirst: boolean): void {
    for (const answer of answersFirst ? this.#answers.splice(0) : []) answer();
    while (this.#seen < this.#history.length) this.#event();
    for (const answer of this.#answers) answer();
  }

  #event(): void {
    const next = this.#history[this.#seen];
    if (next === undefined) return;
    this.#seen++;
    this.cache.watched(next.type, next.object);
  }
}

const versions = (objects: Iterable<KubeObject>) =>
  [...objects].map((o) => `${o.metadata.name} ${o.metadata.uid} ${o.metadata.resourceVersion}`).sort();

test('whatever comes first, the view ends as the server is, its indexes and what listeners were told with it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, answersFirst) => {
      const world = new World();
      for (const s of steps) world.step(s);
      world.settle(answersFirst);
      const { cache, server, told } = world;
      expect(versions(cache.values())).toEqual(versions(server.values()));
      expect(versions(told.values())).toEqual(versions(server.values()));
      const found = OWNERS.flatMap((owner) => cache.find(byController, owner));
      expect(versions(found)).toEqual(versions(server.values()));
    }),
    { numRuns: 2000 },
  );
});
