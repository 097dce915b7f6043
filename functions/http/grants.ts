import type { Grants, Needs, VsockNeed } from '../core/needs.ts';
import type { KeyAddress, KeyState } from '../store/key-state.ts';
import type { SnapshotMoment } from '../store/slots.ts';
import { admitToSlot } from '../store/slots-row.ts';
import type { Table } from '../store/table.ts';
import { takeVsockId, vsockIdsFrom, vsockStart } from '../store/vsock-ids.ts';
import { type NewKeyState, putKeyState, type Writer } from '../store/write-key-state.ts';

/** Ids in a row that are found taken before a pass gives up; the next one begins elsewhere. */
const MAX_TRIES = 100;

/** Who asks. */
export interface Asker {
  readonly table: Table;
  readonly address: KeyAddress;
  /** Of the primary. */
  readonly uid: string;
  /** The key's row, of whatever uid. */
  readonly row: KeyState | undefined;
  readonly writer: Writer;
  readonly snapshot: SnapshotMoment;
}

export type Obtained =
  | {
      readonly type: 'obtained';
      readonly grants: Grants;
      /** The key's row as it is now. */
      readonly row: KeyState | undefined;
    }
  /** Another pass has written the key's row since it was read. */
  | { readonly type: 'conflict' };

/** Answers all needs of one pass. Throws TableUnavailableError and what the SDK throws. */
export async function obtainGrants(asker: Asker, { migrationSlot, vsock }: Needs): Promise<Obtained> {
  const { table, address, uid, snapshot } = asker;
  const slot = migrationSlot && (await admitToSlot(table, address.cluster, { uid, need: migrationSlot, snapshot }));
  const id = vsock && (await obtainVsockId(asker, vsock));
  if (id?.type === 'conflict') return id;
  return {
    type: 'obtained',
    grants: { ...(slot && { migrationSlot: slot }), ...id?.grants },
    row: id === undefined ? asker.row : id.row,
  };
}

/**
 * Takes an id: the one that the key holds, else the first free one. The key's row says so before the id is taken: whatever
 * happens in between, the id is found and given back when the VMI is gone.
 *
 * | after | key's row | the id's item |
 * |---|---|---|
 * | the first write | holds 5 | absent |
 * | the second write | holds 5 | this VMI |
 * | 5 was another's | holds 6 | absent |
 */
async function obtainVsockId(asker: Asker, { inUse }: VsockNeed): Promise<Obtained> {
  const { table, address, uid, writer } = asker;
  let row = asker.row;
  let tries = 0;
  for (const id of candidates(asker)) {
    if (inUse.includes(id)) continue;
    if (++tries > MAX_TRIES) break;
    const hold = { id, holders: holdersOf(row, id, uid) };
    if (row?.vsock?.id !== id || !row.vsock.holders.includes(uid)) {
      const next: NewKeyState = { ...(row ?? { uid, expectations: [], failures: 0 }), vsock: hold };
      if ((await putKeyState(table, address, row, next, writer)) === 'conflict') return { type: 'conflict' };
      row = { ...next, ...writer, version: (row?.version ?? 0) + 1 };
    }
    const taken = await takeVsockId(table, address.cluster, id, { holder: uid, holders: hold.holders });
    if (taken === 'ours') return { type: 'obtained', grants: { vsock: { type: 'granted', id } }, row };
  }
  return { type: 'obtained', grants: { vsock: { type: 'exhausted' } }, row };
}

/** What the key holds first: a VMI that was made anew under its name before the old one's end was seen keeps that (11.2). */
function* candidates({ uid, row }: Asker): Generator<number> {
  if (row?.vsock !== undefined) yield row.vsock.id;
  const failures = row?.uid === uid ? row.failures : 0;
  yield* vsockIdsFrom(vsockStart(`${uid}/${failures}`));
}

function holdersOf(row: KeyState | undefined, id: number, uid: string): readonly string[] {
  const before = row?.vsock?.id === id ? row.vsock.holders : [];
  return before.includes(uid) ? before : [...before, uid];
}
