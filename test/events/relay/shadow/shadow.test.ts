import { beforeEach, describe, expect, test } from 'vitest';
import type { ActionGate } from '../../../../events/relay/apply/action-gate.ts';
import { Caches } from '../../../../events/relay/cache/caches.ts';
import type { KubeApi } from '../../../../events/relay/kube/api.ts';
import { Shadow } from '../../../../events/relay/shadow/shadow.ts';
import { declaredControllers } from '../../../../functions/controllers.ts';
import type { Action } from '../../../../functions/core/action.ts';
import { Pod, VirtualMachineInstance } from '../../../../functions/core/kinds.ts';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const PATIENCE_MS = 30_000;
const KEY = 'ns/guest';
const gate: ActionGate = { admit: (action) => ({ type: 'admitted', action }), redact: (message) => message };
const recorder = { record: () => expect.unreachable('a shadow writes no events') } as never;

const vmi = (version: number, status: object): KubeObject =>
  ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'guest', namespace: 'ns', uid: 'u-guest', resourceVersion: String(version) },
    spec: {},
    status,
  }) as KubeObject;

const launcher = (name: string, image: string, version = 1): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      generateName: 'virt-launcher-guest-',
      namespace: 'ns',
      uid: `u-${name}`,
      resourceVersion: String(version),
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: 'guest',
          uid: 'u-guest',
          controller: true,
        },
      ],
    },
    spec: { containers: [{ name: 'compute', image }] },
  }) as KubeObject;

const updateTo = (status: object): Action => ({ id: 'write vmi', verb: 'update', object: vmi(10, status) });
const { uid: _uid, resourceVersion: _version, ...newMetadata } = launcher('virt-launcher-guest-aaaaa', 'i').metadata;
const createPod: Action = {
  id: 'pod',
  verb: 'create',
  object: { ...launcher('virt-launcher-guest-aaaaa', 'i'), metadata: newMetadata },
};
const deletePod: Action = {
  id: 'delete',
  verb: 'delete',
  target: { kind: 'Pod', namespace: 'ns', name: 'old' },
  uid: 'u-old',
  resourceVersion: '1',
};

let time: VirtualTime;
let caches: Caches;
let shadow: Shadow;
/** Who holds virt-controller's Lease; renewed at every look. */
let holder: string | undefined;
let visits: string[];
let version = 10;

beforeEach(async () => {
  time = new VirtualTime();
  caches = new Caches();
  holder = 'virt-controller-a';
  visits = [];
  caches.of(VirtualMachineInstance).replace([vmi(10, { phase: 'Pending' })], '10', 1);
  caches.of(Pod).replace([launcher('old', 'x')], '10', 1);
  const api = {
    get: () =>
      Promise.resolve(holder === undefined ? undefined : { spec: { holderIdentity: holder, renewTime: time.now } }),
  } as unknown as KubeApi;
  shadow = new Shadow({
    controllers: declaredControllers.map(({ controller }) => controller),
    writes: declaredControllers.map(({ writes }) => writes),
    caches,
    api,
    ports: time.ports,
    namespace: 'kubevirt',
    timing: { patienceMs: PATIENCE_MS, endAfterMs: undefined },
    visit: (controller, key) => visits.push(`${controller} ${key}`),
  });
  shadow.start();
  await time.advance(0);
});

/** One pass over the key, as it would be answered. */
const pass = (...actions: Action[]) => {
  const primary = vmi(10, { phase: 'Pending' });
  const item = { key: KEY, attempt: 1, primary, reads: { pods: [launcher('old', 'x')] }, results: [], positions: {} };
  return shadow.applier.apply(actions, recorder, gate, { controller: 'vmi', item });
};
const leaderWrites = (object: KubeObject) => {
  const kind = object.kind === 'Pod' ? Pod : VirtualMachineInstance;
  const metadata = { ...object.metadata, resourceVersion: String(++version) };
  caches.of(kind).watched('MODIFIED', { ...object, metadata });
};
const judgements = () => shadow.tally.counts.map(({ judgement, verb, count }) => `${verb} ${judgement} ${count}`);

describe('agreed', () => {
  test('to the function nothing was attempted; what the leader does then is the same', async () => {
    const { results } = await pass(createPod, updateTo({ phase: 'Scheduling' }));
    expect(results.map(({ status }) => status)).toEqual(['not-attempted', 'not-attempted']);
    leaderWrites(launcher('virt-launcher-guest-x7x7x', 'i'));
    leaderWrites(vmi(0, { phase: 'Scheduling', more: 'of somebody else' }));
    expect(judgements()).toEqual(['create agreed 1', 'update agreed 1']);
    await time.advance(2 * PATIENCE_MS);
    expect([shadow.openWrites, visits, shadow.tally.differences]).toEqual([0, [], []]);
  });

  test('also if the leader was quicker than the answer', async () => {
    leaderWrites(launcher('virt-launcher-guest-x7x7x', 'i'));
    await pass(createPod);
    expect(judgements()).toEqual(['create agreed 1']);
    await time.advance(2 * PATIENCE_MS);
    expect(shadow.tally.unforeseen).toEqual([]);
  });

  test('times, the order of conditions and what is drawn need not be the same', async () => {
    await pass(
      updateTo({
        phase: 'Pending',
        VSOCKCID: 5,
        conditions: [
          { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' },
          { type: 'Synchronized', status: 'True', lastProbeTime: null },
        ],
      }),
    );
    leaderWrites(
      vmi(0, {
        phase: 'Pending',
        VSOCKCID: 77,
        conditions: [
          { type: 'Synchronized', status: 'True' },
          { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:09Z' },
        ],
      }),
    );
    expect(judgements()).toEqual(['update agreed 1']);
  });

  test('a deletion, by its mark or by the end', async () => {
    await pass(deletePod);
    caches.of(Pod).watched('DELETED', { ...launcher('old', 'x', 11) });
    expect(judgements()).toEqual(['delete agreed 1']);
  });
});

describe('difference', () => {
  const remind = async () => {
    await time.advance(PATIENCE_MS);
    expect(visits).toEqual(['vmi ns/guest']);
  };

  test('missing: still wanted on a fresh look after all the time that the leader had', async () => {
    await pass(updateTo({ phase: 'Scheduling' }));
    await time.advance(PATIENCE_MS - 1);
    expect(judgements()).toEqual([]);
    await remind();
    // Not before somebody has looked again.
    expect(judgements()).toEqual([]);
    await pass(updateTo({ phase: 'Scheduling' }));
    expect(shadow.tally.differences).toMatchObject([
      { controller: 'vmi', key: KEY, id: 'write vmi', judgement: 'missing', paths: ['/status/phase'], standing: true },
    ]);
    // Told once; and when the leader does it after all, it stands no more.
    await pass(updateTo({ phase: 'Scheduling' }));
    leaderWrites(vmi(0, { phase: 'Scheduling' }));
    expect(judgements()).toEqual(['update missing 1', 'update agreed 1']);
    expect(shadow.tally.differences).toMatchObject([{ standing: false }]);
  });

  test('different: the leader wrote something else there', async () => {
    await pass(updateTo({ phase: 'Scheduling' }));
    leaderWrites(vmi(0, { phase: 'Failed' }));
    await remind();
    await pass(updateTo({ phase: 'Scheduling' }));
    expect(shadow.tally.differences).toMatchObject([{ judgement: 'different', paths: ['/status/phase'] }]);
    expect(time.written.filter((line) => line.includes('difference')).join()).not.toContain('Failed');
  });

  test('different: a new object is there, but another one', async () => {
    await pass(createPod);
    leaderWrites(launcher('virt-launcher-guest-x7x7x', 'another'));
    expect(shadow.tally.differences).toMatchObject([
      { judgement: 'different', paths: ['/spec/containers/compute/image'], standing: false },
    ]);
    await time.advance(2 * PATIENCE_MS);
    expect(shadow.tally.unforeseen).toEqual([]);
  });

  test('none while nobody leads, and a new leader has all of its time', async () => {
    await pass(updateTo({ phase: 'Scheduling' }));
    holder = undefined;
    await time.advance(10 * PATIENCE_MS);
    expect([shadow.leader, visits]).toEqual([undefined, []]);
    holder = 'virt-controller-b';
    await time.advance(PATIENCE_MS);
    expect([shadow.leader, visits]).toEqual(['virt-controller-b', []]);
    await time.advance(PATIENCE_MS);
    expect(visits).toEqual(['vmi ns/guest']);
  });

  test('none where the shadow itself does not want it any more', async () => {
    await pass(updateTo({ phase: 'Scheduling' }));
    await pass();
    expect([judgements(), shadow.openWrites]).toEqual([['update dropped 1'], 0]);
    await time.advance(2 * PATIENCE_MS);
    expect(visits).toEqual([]);
  });

  test('none where it wants the same in another form: its time begins anew', async () => {
    await pass(updateTo({ phase: 'Scheduling' }));
    await time.advance(PATIENCE_MS / 2);
    await pass(updateTo({ phase: 'Scheduling', reason: 'now' }));
    await time.advance(PATIENCE_MS / 2);
    expect([visits, judgements(), shadow.openWrites]).toEqual([[], [], 1]);
  });
});

describe('unforeseen', () => {
  test('an object of a kind that the controller makes, which nobody had wanted', async () => {
    leaderWrites(launcher('virt-launcher-guest-x7x7x', 'i'));
    await time.advance(PATIENCE_MS);
    expect(shadow.tally.unforeseen).toEqual([{ controller: 'vmi', kind: 'Pod', count: 1 }]);
  });

  test("not what is there already, and not a user's", async () => {
    leaderWrites({ ...launcher('by-hand', 'i'), metadata: { name: 'by-hand', namespace: 'ns', uid: 'u-by-hand' } });
    leaderWrites(launcher('old', 'y'));
    await time.advance(PATIENCE_MS);
    expect(shadow.tally.unforeseen).toEqual([]);
  });
});

test('what the allow list refuses is told to the function as a failure, and not wanted', async () => {
  const refusing: ActionGate = { ...gate, admit: () => ({ type: 'refused', message: 'no' }) };
  const item = { key: KEY, attempt: 1, primary: vmi(10, {}), reads: {}, results: [], positions: {} };
  const { results } = await shadow.applier.apply([createPod, deletePod], recorder, refusing, {
    controller: 'vmi',
    item,
  });
  expect(results.map(({ status }) => status)).toEqual(['failed', 'not-attempted']);
  expect(shadow.openWrites).toBe(0);
});
