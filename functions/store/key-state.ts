import type { StoredExpectation } from '../core/expectation.ts';
import { fromItem, type Item, type Json, toItem } from './attribute-value.ts';
import { keyStateKey } from './table.ts';

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
      dueAt: row.dueAtMs,
      state: row.state,
    }),
  };
}

/** Throws on a row that `toRow` did not make. */
export function fromRow(item: Item): KeyState {
  const { dueAt, state, ...row } = fromItem(item);
  return {
    uid: text(row, 'uid'),
    token: number(row, 'token'),
    version: number(row, 'version'),
    deliveryId: text(row, 'deliveryId'),
    expectations: list(row, 'expectations').map(toExpectation),
    failures: number(row, 'failures'),
    ...(typeof dueAt === 'number' && { dueAtMs: dueAt }),
    ...(state !== undefined && { state }),
  };
}

type Row = { readonly [name: string]: Json | undefined };

function toExpectation(value: Json): StoredExpectation {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('row: an expectation');
  const e = value as Row;
  const resourceVersion = e['resourceVersion'];
  return {
    id: text(e, 'id'),
    kind: text(e, 'kind'),
    since: number(e, 'since'),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
  };
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
