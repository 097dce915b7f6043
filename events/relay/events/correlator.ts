/**
 * What becomes of an event beside those of before (runtime.md 10.3). One correlator per recorder.
 *
 * ```text
 * event -> aggregation -> counting -> spam filter -> create, or count up
 *   key:    all but the     with the      source,
 *           message         message       object, type
 * ```
 */
import type { EventAction } from '../../../functions/core/action.ts';
import { Recent } from './recent.ts';

/** An event as it is stored, or is to be. */
export interface StoredEvent {
  /** Empty: it has not been named yet. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly firstAtMs: number;
  readonly count: number;
}

export type Correlated =
  | { readonly type: 'dropped' }
  /** `message`: the event's own, or that of the group it is part of. `key` names what `remember` is told of. */
  | { readonly type: 'write'; readonly key: string; readonly message: string; readonly stored: StoredEvent };

/** So many different messages within the interval make a group. */
const GROUP_SIZE = 10;
const GROUP_INTERVAL_MS = 10 * 60_000;
const GROUP_PREFIX = '(combined from similar events): ';
const SPAM_BURST = 25;
const SPAM_REFILL_MS = 300_000;
/** Entries of each of the three memories. */
const MAX_KNOWN = 4096;

interface Group {
  readonly lastAtMs: number;
  readonly messages: ReadonlySet<string>;
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export class Correlator {
  readonly #groups = new Recent<Group>(MAX_KNOWN);
  readonly #stored = new Recent<StoredEvent>(MAX_KNOWN);
  readonly #buckets = new Recent<Bucket>(MAX_KNOWN);

  /** What to do with an event that happened at that time, milliseconds since the epoch. */
  correlate(event: EventAction, atMs: number): Correlated {
    const similar = similarityOf(event);
    const grouped = this.#isGrouped(similar, event.message, atMs);
    const key = grouped ? similar : JSON.stringify([similar, event.message]);
    const message = grouped ? GROUP_PREFIX + event.message : event.message;
    const before = this.#stored.get(key);
    const stored =
      before === undefined ? { name: '', firstAtMs: atMs, count: 1 } : { ...before, count: before.count + 1 };
    this.#stored.set(key, stored);
    return this.#isSpam(event, atMs) ? { type: 'dropped' } : { type: 'write', key, message, stored };
  }

  /** The event bears that name now. */
  remember(key: string, name: string): void {
    const stored = this.#stored.get(key);
    if (stored !== undefined) this.#stored.set(key, { ...stored, name });
  }

  /** From the tenth different message on; the first nine go on standing for themselves. */
  #isGrouped(similar: string, message: string, atMs: number): boolean {
    const before = this.#groups.get(similar);
    const known =
      before !== undefined && atMs - before.lastAtMs <= GROUP_INTERVAL_MS ? before.messages : new Set<string>();
    const messages = new Set(known).add(message);
    const grouped = messages.size >= GROUP_SIZE;
    if (grouped) messages.delete(message);
    this.#groups.set(similar, { lastAtMs: atMs, messages });
    return grouped;
  }

  /** Takes a token of the object's bucket; Warning and Normal events have one each. */
  #isSpam(event: EventAction, atMs: number): boolean {
    const key = JSON.stringify([objectOf(event), event.type]);
    const { tokens, atMs: since } = this.#buckets.get(key) ?? { tokens: SPAM_BURST, atMs };
    const now = Math.min(SPAM_BURST, tokens + Math.max(0, atMs - since) / SPAM_REFILL_MS);
    this.#buckets.set(key, { tokens: now >= 1 ? now - 1 : now, atMs });
    return now < 1;
  }
}

/** All that similar events have in common; source and reporting fields are the recorder's. */
function similarityOf(event: EventAction): string {
  return JSON.stringify([objectOf(event), event.type, event.reason]);
}

function objectOf({ regarding: r }: EventAction): readonly (string | undefined)[] {
  return [r.kind, r.namespace, r.name, r.uid, r.apiVersion];
}
