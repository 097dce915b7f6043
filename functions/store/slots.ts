/** The rules of migration slots (design section 3, migration.md 4.4), apart from where they are stored. */
import type { SlotGrant, SlotNeed } from '../core/needs.ts';

/** A migration that was given leave to create its target pod. */
export interface SlotHolder {
  readonly node: string;
  /** The relay's clock of the delivery that asked, milliseconds since the epoch. */
  readonly admittedAtMs: number;
  /** The fencing token of that delivery. */
  readonly token: number;
}

/** Holders by the uid of their migration. */
export type SlotHolders = Readonly<Record<string, SlotHolder>>;

export interface SlotClaim {
  readonly uid: string;
  readonly need: SlotNeed;
  /** Of the delivery that asks. */
  readonly snapshot: SnapshotMoment;
}

/** When a snapshot was taken, as far as a function can know. */
export interface SnapshotMoment {
  readonly token: number;
  /** The token under which its lists were made. */
  readonly listedToken: number;
  /** The relay's clock. */
  readonly atMs: number;
}

export interface Admission {
  readonly grant: SlotGrant;
  /** Holders afterwards, the migration among them if it is admitted. */
  readonly holders: SlotHolders;
}

/** Decides on one claim: holders that may still be running count together with what the snapshot shows as running. */
export function admit(holders: SlotHolders, { uid, need, snapshot }: SlotClaim): Admission {
  const left = Object.fromEntries(
    Object.entries(holders).filter(
      ([holder, slot]) => need.unfinished.includes(holder) || !isTakenAfter(snapshot, slot),
    ),
  );
  const others = new Map(Object.entries(left).map(([holder, { node }]) => [holder, node]));
  // The snapshot knows better where a migration comes from.
  for (const running of need.running) others.set(running.uid, running.node);
  others.delete(uid);
  const limit = Object.hasOwn(left, uid) ? undefined : reachedLimit([...others.values()], need);
  if (limit !== undefined) return { grant: { type: 'full', limit }, holders: left };
  const own: SlotHolder = { node: need.node, admittedAtMs: snapshot.atMs, token: snapshot.token };
  return { grant: { type: 'admitted' }, holders: { ...left, [uid]: own } };
}

/**
 * Whether a snapshot is known to be younger than an admission. The migration was in the relay's cache when it was admitted, so
 * it is missing from a younger snapshot only if it is final or gone.
 */
function isTakenAfter(snapshot: SnapshotMoment, slot: SlotHolder): boolean {
  if (snapshot.listedToken > slot.token) return true;
  return snapshot.token === slot.token && snapshot.atMs > slot.admittedAtMs;
}

function reachedLimit(nodes: readonly string[], { node, limits }: SlotNeed) {
  if (nodes.length >= limits.perCluster) return 'perCluster';
  if (nodes.filter((other) => other === node).length >= limits.perNode) return 'perNode';
  return undefined;
}
