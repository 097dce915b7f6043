import type { Difference, Judgement, WantedWrite } from './wanted-write.ts';

export interface Count {
  readonly controller: string;
  readonly verb: string;
  readonly kind: string;
  readonly judgement: Judgement;
  readonly count: number;
}

export interface UnforeseenCount {
  readonly controller: string;
  readonly kind: string;
  readonly count: number;
}

/** The report keeps so many differences, the latest; all of them are logged and counted. */
const MAX_KEPT = 200;

/** What the shadow has seen so far. */
export class Tally {
  readonly #counts = new Map<string, Count>();
  readonly #unforeseen = new Map<string, UnforeseenCount>();
  readonly #differences = new Map<string, Difference>();

  get counts(): readonly Count[] {
    return [...this.#counts.values()];
  }

  /** Objects that the leader made before the shadow had looked: nobody compared them. */
  get unforeseen(): readonly UnforeseenCount[] {
    return [...this.#unforeseen.values()];
  }

  get differences(): readonly Difference[] {
    return [...this.#differences.values()];
  }

  judged({ controller, verb, target: { kind } }: WantedWrite, judgement: Judgement): void {
    const key = [controller, verb, kind, judgement].join('/');
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { controller, verb, kind, judgement, count });
  }

  differs(write: WantedWrite, judgement: Difference['judgement'], paths: readonly string[], nowMs: number): void {
    const { controller, key, id, verb, target } = write;
    const since = new Date(nowMs).toISOString();
    const name = nameOf(write);
    this.#differences.delete(name);
    this.#differences.set(name, { controller, key, id, verb, target, judgement, paths, since, standing: true });
    const [oldest] = this.#differences.keys();
    if (this.#differences.size > MAX_KEPT && oldest !== undefined) this.#differences.delete(oldest);
  }

  /** The shadow does not want it any more, or the leader has done it after all. */
  settled(write: WantedWrite): void {
    const name = nameOf(write);
    const known = this.#differences.get(name);
    if (known !== undefined) this.#differences.set(name, { ...known, standing: false });
  }

  foundUnforeseen(controller: string, kind: string): void {
    const key = `${controller}/${kind}`;
    this.#unforeseen.set(key, { controller, kind, count: (this.#unforeseen.get(key)?.count ?? 0) + 1 });
  }
}

function nameOf({ controller, key, id }: WantedWrite): string {
  return `${controller}/${key}/${id}`;
}
