import type { Controller } from '../../../functions/core/controller.ts';
import { controllerOf } from '../../../functions/core/owner.ts';
import type { Writes } from '../../../functions/core/writes.ts';
import type { Change } from '../cache/kind-cache.ts';
import type { Ports, Timers } from '../ports.ts';
import type { Tally } from './tally.ts';

/** Kinds that a controller makes for its primaries. */
interface Maker {
  readonly controller: string;
  readonly owner: string;
  readonly kinds: ReadonlySet<string>;
}

/**
 * New objects of a kind that a controller makes, with one of its primaries as their controller, which the shadow has not wanted:
 * the leader was quicker than the shadow could look, or it makes what the shadow would not. They are counted, not compared.
 */
export class Unforeseen {
  readonly #makers: readonly Maker[];
  readonly #timers: Timers;
  readonly #log: Ports['log'];
  readonly #tally: Tally;
  readonly #waitMs: number;
  /** Uids of objects that were wanted, and of those of which it is not known yet. */
  readonly #found = new Set<string>();
  readonly #waiting = new Set<string>();

  constructor(
    controllers: readonly Controller[],
    writes: readonly Writes[],
    { timers, log }: Pick<Ports, 'timers' | 'log'>,
    tally: Tally,
    waitMs: number,
  ) {
    this.#makers = controllers.map(({ name, primary }) => {
      const rules = writes.find((w) => w.controller === name)?.rules ?? [];
      const made = rules.filter(({ verbs }) => verbs.includes('create')).map(({ kind }) => kind.kind);
      return { controller: name, owner: primary.kind, kinds: new Set(made) };
    });
    this.#timers = timers;
    this.#log = log;
    this.#tally = tally;
    this.#waitMs = waitMs;
  }

  /** Some write wanted this object. */
  found(uid: string): void {
    this.#found.add(uid);
    this.#waiting.delete(uid);
  }

  changed({ kind, old, new: now }: Change): void {
    const uid = now?.metadata.uid ?? old?.metadata.uid ?? '';
    if (now === undefined) this.#found.delete(uid);
    if (now === undefined || old !== undefined || this.#found.has(uid)) return;
    const owner = controllerOf(now)?.kind;
    const maker = this.#makers.find((m) => m.owner === owner && m.kinds.has(kind.kind));
    if (maker === undefined) return;
    this.#waiting.add(uid);
    // A decision about it may be on its way.
    this.#timers.after(this.#waitMs, () => {
      if (!this.#waiting.delete(uid)) return;
      this.#tally.foundUnforeseen(maker.controller, kind.kind);
      const { namespace, name } = now.metadata;
      this.#log.info('shadow: not foreseen', { controller: maker.controller, kind: kind.kind, namespace, name });
    });
  }
}
