/**
 * The writes that the shadow wants and the leader has not done yet, and how they end.
 *
 * ```text
 * pass wants a write ──► open ──► seen in a cache ───────────────────► agreed
 *                          │ └──► a new object, but another one ─────► different
 *                          ├───► a pass does not want it any more ──► dropped
 *                          └───► patience ends ► the key is visited; that pass wants it still ► different or missing
 * ```
 *
 * Both decide by the state of the cluster, so what the shadow wants for long, on the newest state, is what the leader does not
 * want to do. Who leads has all of its time: a change of leaders begins it anew.
 */
import type { Caches } from '../cache/caches.ts';
import type { Change } from '../cache/kind-cache.ts';
import type { Cancel, Ports } from '../ports.ts';
import { fingerprint, type Sight, sightOf } from './effect.ts';
import type { Tally } from './tally.ts';
import type { Difference, WantedWrite } from './wanted-write.ts';

interface Open {
  readonly write: WantedWrite;
  readonly fingerprint: string;
  /** `overdue`: the next pass that wants it makes it a difference; `told`: it has. */
  state: 'fresh' | 'overdue' | 'told';
  cancel: Cancel;
}

export interface LedgerParts {
  readonly caches: Caches;
  readonly ports: Pick<Ports, 'clock' | 'timers' | 'log'>;
  readonly tally: Tally;
  readonly patienceMs: number;
  /** For how long the same one has led; 0: nobody does. */
  readonly ledForMs: () => number;
  /** Has a key decided again. */
  readonly visit: (controller: string, key: string) => void;
  /** Is told the uid of each object that was wanted and is there. */
  readonly onFound: (uid: string) => void;
}

export class Ledger {
  readonly #parts: LedgerParts;
  /** By controller and key, then by the action's id. */
  readonly #open = new Map<string, Map<string, Open>>();

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  get openWrites(): number {
    return [...this.#open.values()].reduce((sum, writes) => sum + writes.size, 0);
  }

  /** All that one pass over a key wants; writes of earlier passes that are not among them are wanted no more. */
  passed(controller: string, key: string, wanted: readonly WantedWrite[]): void {
    const name = `${controller} ${key}`;
    const before = this.#open.get(name) ?? new Map<string, Open>();
    const now = new Map<string, Open>();
    for (const write of wanted) {
      const known = before.get(write.id);
      const print = fingerprint(write.effect);
      if (known?.fingerprint === print) this.#wantedStill(known, now);
      else this.#wantedAnew(write, print, known, now);
    }
    for (const [id, open] of before) {
      if (now.get(id) === open) continue;
      open.cancel();
      // Wanted in another form now: the same intent, nothing to count.
      if (now.has(id)) continue;
      if (open.state === 'told') this.#parts.tally.settled(open.write);
      else if (!wanted.some((write) => write.id === id)) this.#parts.tally.judged(open.write, 'dropped');
    }
    if (now.size === 0) this.#open.delete(name);
    else this.#open.set(name, now);
  }

  /** A change in a cache may be what some write was to bring about. */
  changed({ kind, old, new: now }: Change): void {
    const namespace = (now ?? old)?.metadata.namespace;
    for (const [name, writes] of this.#open)
      for (const [id, open] of writes) {
        const { target } = open.write;
        if (target.kind !== kind.kind || target.namespace !== namespace || !this.#hasEnded(open)) continue;
        open.cancel();
        writes.delete(id);
        if (writes.size === 0) this.#open.delete(name);
      }
  }

  stop(): void {
    for (const writes of this.#open.values()) for (const { cancel } of writes.values()) cancel();
  }

  #wantedStill(open: Open, now: Map<string, Open>): void {
    now.set(open.write.id, open);
    if (open.state !== 'overdue') return;
    open.state = 'told';
    const sight = this.#sight(open);
    if (sight?.type !== 'not-there') return;
    this.#differs(open.write, sight.touched ? 'different' : 'missing', sight.paths);
  }

  #wantedAnew(write: WantedWrite, print: string, before: Open | undefined, now: Map<string, Open>): void {
    const open: Open = { write, fingerprint: print, state: 'fresh', cancel: () => undefined };
    if (this.#hasEnded(open)) return;
    // What is told stays told: the leader does not do it in this form either, unless it is seen to.
    if (before?.state === 'told') open.state = 'told';
    else open.cancel = this.#afterPatience(open);
    now.set(write.id, open);
  }

  #afterPatience(open: Open, waitMs = this.#parts.patienceMs): Cancel {
    const { ports, patienceMs, ledForMs, visit } = this.#parts;
    return ports.timers.after(waitMs, () => {
      const leftMs = patienceMs - ledForMs();
      if (leftMs > 0) {
        open.cancel = this.#afterPatience(open, leftMs);
        return;
      }
      open.state = 'overdue';
      visit(open.write.controller, open.write.key);
    });
  }

  /** Looks whether the leader has done it, or something in its place; then it is judged. */
  #hasEnded(open: Open): boolean {
    const { tally, onFound } = this.#parts;
    const sight = this.#sight(open);
    if (sight === undefined || sight.type === 'not-there') return false;
    if (sight.uid !== undefined) onFound(sight.uid);
    if (sight.type === 'otherwise') {
      this.#differs(open.write, 'different', sight.paths);
      tally.settled(open.write);
    } else {
      tally.judged(open.write, 'agreed');
      if (open.state === 'told') tally.settled(open.write);
    }
    return true;
  }

  #sight({ write }: Open): Sight | undefined {
    return sightOf(write.effect, this.#parts.caches);
  }

  #differs(write: WantedWrite, judgement: Difference['judgement'], paths: readonly string[]): void {
    const { ports, tally } = this.#parts;
    tally.judged(write, judgement);
    tally.differs(write, judgement, paths, ports.clock.now());
    const { controller, key, id, verb, target } = write;
    ports.log.warn('shadow: difference', { controller, key, id, verb, target, judgement, paths });
  }
}
