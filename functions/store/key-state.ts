import type { StoredExpectation } from '../core/expectation.ts';
import { fromItem, type Item, type Json, toItem } from './attribute-value.ts';
import { dueIn, keyStateKey } from './table.ts';

/** What outlives a pass of one key; a row of the table. Absent where there is nothing to remember. */
export interface KeyState {
  /** Of the primary. A state under another uid is none. */
  readonly uid: string;
  /** The fencing token under which the row was written. */
  readonly token: number;
  /** Rises by 1 with each write. */
  readonly version: number;
  /** The delivery that wrote the row. */
  readonly deliveryId: string;
  readonly expectations: readonly StoredExpectation[];
  /** Consecutive failed passes. */
  readonly failures: number;
  /** When the key wants to be visited again at the latest, milliseconds since the epoch. Advice only. */
  readonly dueAtMs?: number;
  /** The controller's own small state. */
  readonly state?: Json;
  /** Belongs to the key, not to the primary's uid: it outlives a change of that. */
  readonly vsock?: VsockHold;
}

/** A VSOCK id that the key has, or was about to take: written before the id is taken, gone after it was given back. */
export interface VsockHold {
  readonly id: number;
  /** Uids under which the id's item may stand: more than one when a VMI took over its namesake's. */
  readonly holders: readonly string[];
}

export interface KeyAddress {
  readonly cluster: string;
  readonly controller: string;
  /** `<namespace>/<name>`, or `<name>`. */
  readonly key: string;
}

/** Attribute by attribute: a caller's object may hold more than a row has. */
export function toRow(address: KeyAddress, row: KeyState): Item {
  return {
    ...keyStateKey(address.cluster, address.controller, address.key),
    ...toItem({
      uid: row.uid,
      token: row.token,
      version: row.version,
      deliveryId: row.deliveryId,
      expectations: row.expectations.map(({ id, kind, resourceVersion, since }) => ({
        id,
        kind,
        resourceVersion,
        since,
      })),
      failures: row.failures,
      state: row.state,
      vsock: row.vsock && { id: row.vsock.id, holders: row.vsock.holders },
    }),
    ...(row.dueAtMs !== undefined && dueIn(address.cluster, row.dueAtMs)),
  };
}

/** Throws on a row that `toRow` did not make. */
export function fromRow(item: Item): KeyState {
  const { dueAt, state, vsock, ...row } = fromItem(item);
  return {
    uid: text(row, 'uid'),
    token: number(row, 'token'),
    version: number(row, 'version'),
    deliveryId: text(row, 'deliveryId'),
    expectations: list(row, 'expectations').map(toExpectation),
    failures: number(row, 'failures'),
    ...(typeof dueAt === 'number' && { dueAtMs: dueAt }),
    ...(state !== undefined && { state }),
    ...(vsock !== undefined && { vsock: toVsockHold(vsock) }),
  };
}

type Row = { readonly [name: string]: Json | undefined };

function toVsockHold(value: Json): VsockHold {
  const hold = record(value, 'vsock');
  return { id: number(hold, 'id'), holders: list(hold, 'holders').map(String) };
}

function toExpectation(value: Json): StoredExpectation {
  const e = record(value, 'an expectation');
  const resourceVersion = e['resourceVersion'];
  return {
    id: text(e, 'id'),
    kind: text(e, 'kind'),
    since: number(e, 'since'),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
  };
}

function record(value: Json, what: string): Row {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`row: ${what} is no map`);
  return value as Row;
}

function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new Error(`row: ${name} is no text`);
  return value;
}

function number(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw new Error(`row: ${name} is no number`);
  return value;
}

function list(row: Row, name: string): readonly Json[] {
  const value = row[name];
  if (!Array.isArray(value)) throw new Error(`row: ${name} is no list`);
  return value as readonly Json[];
}
