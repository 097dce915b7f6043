import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ReconcileItem } from '../../../events/envelope/envelope.ts';
import type { Context } from '../../../functions/core/context.ts';
import type { Needs } from '../../../functions/core/needs.ts';
import type { Outcome } from '../../../functions/core/outcome.ts';
import type { AnyReconcile } from '../../../functions/http/pass.ts';
import { dueKeys } from '../../../functions/store/due-index.ts';
import { readKeyStates } from '../../../functions/store/read-key-states.ts';
import { takeVsockId, vsockStart } from '../../../functions/store/vsock-ids.ts';
import { type LocalTable, startLocalTable, writesOf } from '../support/local-table.ts';
import { partOf, type Widget, widgetBatch, widgetItem } from '../support/widget.ts';
import { takeLease, type WidgetService, widgetService } from '../support/widget-service.ts';

/** Needs what its script says, and shows in its state what it was given. */
const needy = ((snapshot: { primary?: Widget }, _state: unknown, { grants }: Context): Outcome => {
  const w = snapshot.primary;
  if (w === undefined) return { type: 'done', actions: [] };
  const { needs, creates } = JSON.parse(w.spec.script) as { needs?: Needs; creates?: boolean };
  if (needs !== undefined && (grants === undefined || w.metadata.name === 'insatiable'))
    return { type: 'needs', needs, actions: [] };
  const admitted = creates === true && grants?.migrationSlot?.type === 'admitted';
  const actions = admitted ? [{ verb: 'create' as const, id: 'part', object: partOf(w) }] : [];
  return { type: 'done', actions, ...(grants !== undefined && { state: grants }) };
}) as AnyReconcile;

let table: LocalTable;
let service: WidgetService;
let token: number;
beforeAll(async () => {
  table = await startLocalTable();
  service = widgetService(table, needy);
  token = await takeLease(table, service.nowMs);
});
afterAll(() => table.stop());
afterEach(() => {
  table.intercept = undefined;
});

interface Script {
  readonly needs?: Needs;
  readonly creates?: boolean;
}

function item(name: string, script: Script, more: Partial<ReconcileItem> = {}): ReconcileItem {
  return widgetItem(name, JSON.stringify(script), more);
}

async function deliver(...items: readonly ReconcileItem[]) {
  return (await service.deliver(widgetBatch(items, { token, listedToken: token, timeMs: ++clockMs }))).items;
}
let clockMs = Date.now();

async function rowOf(name: string) {
  return (await readKeyStates(table, 'cluster-uid', 'widget', [`default/${name}`])).states.get(`default/${name}`);
}
async function vsockOf(name: string): Promise<number | undefined> {
  return ((await rowOf(name))?.state as { vsock?: { id: number } } | undefined)?.vsock?.id;
}

const vsock: Script = { needs: { vsock: { inUse: [] } } };
const gone = (name: string) => widgetItem(name, '', { primary: null });
const reborn = (name: string, script: Script) => {
  const i = item(name, script);
  return {
    ...i,
    primary: { ...i.primary, metadata: { ...i.primary?.metadata, uid: `uid-${name}-2` } },
  } as ReconcileItem;
};

test('who needs nothing pays nothing', async () => {
  table.calls.length = 0;
  await deliver(item('frugal', {}));
  expect(table.calls).toEqual(['BatchGetItemCommand']);
});

describe('VSOCK ids', () => {
  test('each key gets one of its own, and the same one again', async () => {
    await deliver(item('v1', vsock), item('v2', vsock), item('v3', vsock));
    const ids = [await vsockOf('v1'), await vsockOf('v2'), await vsockOf('v3')];
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id !== undefined && id >= 3)).toBe(true);
    await deliver(item('v1', vsock));
    expect(await vsockOf('v1')).toBe(ids[0]);
  });

  test('what is taken or in use is passed over', async () => {
    const start = vsockStart('uid-over/0');
    await takeVsockId(table, 'cluster-uid', start, { holder: 'someone', holders: ['someone'] });
    await deliver(item('over', { needs: { vsock: { inUse: [start + 1] } } }));
    expect(await vsockOf('over')).toBe(start + 2);
  });

  test('an id is free again when its key’s primary is gone', async () => {
    await deliver(item('brief', vsock));
    const id = (await vsockOf('brief')) ?? 0;
    expect(await takeVsockId(table, 'cluster-uid', id, { holder: 'x', holders: ['x'] })).toBe('taken');
    await deliver(gone('brief'));
    expect(await rowOf('brief')).toBeUndefined();
    expect(await takeVsockId(table, 'cluster-uid', id, { holder: 'x', holders: ['x'] })).toBe('ours');
  });

  test('vmi case 120: made anew under its name before its removal was processed, it keeps its id', async () => {
    await deliver(item('phoenix', vsock));
    const id = await vsockOf('phoenix');
    await deliver(reborn('phoenix', {}));
    expect((await rowOf('phoenix'))?.state).toBeUndefined();
    await deliver(reborn('phoenix', vsock));
    expect(await vsockOf('phoenix')).toBe(id);
    await deliver(gone('phoenix'));
    expect(await takeVsockId(table, 'cluster-uid', id ?? 0, { holder: 'x', holders: ['x'] })).toBe('ours');
  });

  test('an id that was taken by a pass that died is found, and given back', async () => {
    // The function dies after the id is taken, before its row says so.
    let puts = 0;
    table.intercept = (command, proceed) =>
      command === 'PutItemCommand' && ++puts > 2 ? Promise.reject(new Error('cut')) : proceed();
    expect((await deliver(item('cut', vsock)))[0]?.outcome).toMatchObject({ type: 'retry' });
    table.intercept = undefined;
    const id = (await rowOf('cut'))?.vsock?.id ?? 0;
    expect(await takeVsockId(table, 'cluster-uid', id, { holder: 'x', holders: ['x'] })).toBe('taken');
    await deliver(gone('cut'));
    expect(await takeVsockId(table, 'cluster-uid', id, { holder: 'x', holders: ['x'] })).toBe('ours');
  });

  test('the table fails: no actions, tried again', async () => {
    table.intercept = (command, proceed) =>
      command === 'PutItemCommand' ? Promise.reject(new Error('down')) : proceed();
    const [answer] = await deliver(item('down', vsock));
    expect(answer).toMatchObject({ outcome: { type: 'retry', afterMs: 1000 }, actions: [] });
  });

  test('another pass at once: one of them is busy, or both come to the same', async () => {
    const outcomes = (await Promise.all([deliver(item('twice', vsock)), deliver(item('twice', vsock))])).flat();
    expect(outcomes.filter((a) => a.outcome.type === 'done').length).toBeGreaterThanOrEqual(1);
    expect(await vsockOf('twice')).toBe((await rowOf('twice'))?.vsock?.id);
  });

  test('who holds an id is found by the sweep when nobody has seen it for two days, and writes once a day', async () => {
    await deliver(item('held', vsock));
    const dueAtMs = (await rowOf('held'))?.dueAtMs ?? 0;
    expect(dueAtMs - service.nowMs).toBe(48 * 3_600_000);
    const due = (await dueKeys(table, 'cluster-uid', dueAtMs, 100)).map((d) => d.key);
    expect(due).toContain('default/held');
    table.calls.length = 0;
    service.nowMs += 3_600_000;
    await deliver(item('held', {}));
    expect(writesOf(table.calls)).toEqual([]);
    service.nowMs += 24 * 3_600_000;
    await deliver(item('held', {}));
    expect((await rowOf('held'))?.dueAtMs).toBeGreaterThan(dueAtMs);
  });
});

describe('migration slots', () => {
  const all = ['s1', 's2', 's3'].map((name) => `uid-${name}`);
  const slot = (creates: boolean): Script => ({
    needs: {
      migrationSlot: { node: 'n', running: [], unfinished: all, limits: { perCluster: 1, perNode: 1 } },
    },
    creates,
  });

  test('one at a time; it is given back by who creates nothing', async () => {
    const [idle] = await deliver(item('s1', slot(false)));
    expect(idle?.actions).toEqual([]);
    const [first] = await deliver(item('s2', slot(true)));
    expect(first?.actions).toHaveLength(1);
    const [second] = await deliver(item('s3', slot(true)));
    expect(second?.actions).toEqual([]);
    expect((await rowOf('s3'))?.state).toEqual({ migrationSlot: { type: 'full', limit: 'perCluster' } });
  });
});

test('who asks again for what was granted is a defect', async () => {
  const [answer] = await deliver(item('insatiable', vsock));
  expect(answer).toMatchObject({ outcome: { type: 'retry' }, actions: [] });
});

test('a state that could not be read is not taken for none: the key is tried again, nothing is written', async () => {
  table.calls.length = 0;
  table.intercept = async (command, proceed) => {
    const result = (await proceed()) as { output: { Responses: Record<string, { sk: { S: string } }[]> } };
    if (command !== 'BatchGetItemCommand') return result;
    const pk = { S: 'cluster-uid#widget' };
    const Keys = [{ pk, sk: { S: 'default/unread' } }];
    const asked = { [table.name]: { Keys, ConsistentRead: true } };
    return { ...result, output: { ...result.output, UnprocessedKeys: asked } };
  };
  const answers = await deliver(item('unread', vsock), item('read', {}));
  expect(answers.map((a) => a.outcome.type)).toEqual(['retry', 'done']);
  expect(writesOf(table.calls)).toEqual([]);
});
