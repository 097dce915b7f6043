import { describe, expect, test } from 'vitest';
import { Caches } from '../../../events/relay/cache/caches.ts';
import { buildSnapshot } from '../../../events/relay/subscriptions/snapshot.ts';
import { Subscriptions } from '../../../events/relay/subscriptions/subscriptions.ts';
import { anyController, defineController } from '../../../functions/core/controller.ts';
import { Pod, VirtualMachine, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { byController, byNamespace, keyOf, type ObjectIndex } from '../../../functions/core/object-index.ts';
import type { KubeObject, VirtualMachineInstance as Vmi } from '../../../functions/core/objects.ts';
import { many, one } from '../../../functions/core/reads.ts';
import { pod } from './support/objects.ts';

const vmi = (name: string, rv: number): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: String(rv) },
});

/** Pods by their owner, and by their namespace. */
const byEverything: ObjectIndex = {
  name: 'ownerAndNamespace',
  valuesOf: (o) => [...byController.valuesOf(o), ...byNamespace.valuesOf(o)],
};

const controller = anyController(
  defineController({
    name: 'test',
    primary: VirtualMachineInstance,
    concurrency: 1,
    eventSource: 'test',
    reads: {
      pods: many(Pod).by(byController, (v: Vmi) => v.metadata.uid),
      owner: one(VirtualMachine).named((v: Vmi) => keyOf(v)),
      loud: many(Pod)
        .by(byNamespace, (v: Vmi) => v.metadata.namespace)
        .where((p) => p.metadata.labels?.['loud'] === 'yes')
        .only((p) => ({ ...p, metadata: { name: p.metadata.name, uid: p.metadata.uid ?? '' } })),
      quiet: many(Pod)
        .by(byNamespace, (v: Vmi) => v.metadata.namespace)
        .quietly(),
      twice: many(Pod)
        .by(byEverything, (v: Vmi) => [v.metadata.uid ?? '', v.metadata.namespace ?? ''])
        .quietly(),
      first: one(VirtualMachine).named((_v: Vmi, found) => found.many('pods')[0]?.metadata.labels?.['vm']),
    },
  }),
);

function setUp() {
  const caches = new Caches();
  for (const read of Object.values(controller.reads)) caches.of(read.kind).addIndex(read.index);
  caches.of(VirtualMachineInstance).replace([vmi('v', 1)], '1', 1);
  caches.of(Pod).replace([pod('p', 1, { owner: 'uid-v' })], '1', 1);
  caches.of(VirtualMachine).replace([], '1', 1);
  const subscriptions = new Subscriptions(controller, caches);
  const build = () => {
    const built = buildSnapshot(controller, 'ns/v', caches, { stateOf: () => 'synced' });
    if (built.type !== 'built') throw new Error('unknown');
    subscriptions.replace('ns/v', built.snapshot.touched);
    return built.snapshot;
  };
  const concerned: string[][] = [];
  caches.onChange((c) => concerned.push([...subscriptions.concerned(c)]));
  return { caches, subscriptions, build, concerned };
}

describe('snapshot', () => {
  test('has objects, absent ones as null, and positions', () => {
    const s = setUp().build();
    expect((s.reads['pods'] as KubeObject[]).map((p) => p.metadata.name)).toEqual(['p']);
    expect(s.reads['owner']).toBeNull();
    expect(s.positions).toEqual({ VirtualMachineInstance: '1', Pod: '1', VirtualMachine: '1' });
  });

  test('of an absent primary reads nothing', () => {
    const { caches, build } = setUp();
    caches.of(VirtualMachineInstance).replace([], '2', 1);
    expect(build()).toMatchObject({ primary: null, reads: { pods: [], owner: null }, touched: [] });
  });

  test('an object that several values find is there once', () => {
    const { reads } = setUp().build();
    expect((reads['twice'] as KubeObject[]).map((p) => p.metadata.name)).toEqual(['p']);
  });

  test('waits for a kind that is not known yet', () => {
    const { caches } = setUp();
    const built = buildSnapshot(controller, 'ns/v', caches, {
      stateOf: (k) => (k.kind === 'Pod' ? 'unknown' : 'synced'),
    });
    expect(built).toEqual({ type: 'unknown', kind: 'Pod' });
  });

  test('does not wait for a kind in which it looks for nothing', () => {
    const { caches } = setUp();
    caches.of(VirtualMachineInstance).replace([], '2', 1);
    const built = buildSnapshot(controller, 'ns/v', caches, {
      stateOf: (k) => (k.kind === 'Pod' ? 'unknown' : 'synced'),
    });
    expect(built.type).toBe('built');
  });

  test('a read can rest on another', () => {
    const { caches, build } = setUp();
    caches.of(VirtualMachine).watched('ADDED', { ...vmi('other', 3), kind: 'VirtualMachine' });
    caches.of(Pod).watched('MODIFIED', pod('p', 2, { owner: 'uid-v', labels: { vm: 'ns/other' } }));
    expect((build().reads['first'] as KubeObject).metadata.name).toBe('other');
  });
});

describe('subscriptions', () => {
  test('a change of the primary, also its end, concerns its key', () => {
    const { caches, build, concerned } = setUp();
    build();
    caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('v', 2));
    caches.of(VirtualMachineInstance).watched('DELETED', vmi('v', 3));
    expect(concerned).toEqual([['ns/v'], ['ns/v']]);
  });

  test('what was looked up in vain is subscribed to as well', () => {
    const { caches, build, concerned } = setUp();
    build();
    caches.of(VirtualMachine).watched('ADDED', { ...vmi('v', 5), kind: 'VirtualMachine' });
    expect(concerned).toEqual([['ns/v']]);
  });

  test('an object that leaves the index entry concerns the key by its old version', () => {
    const { caches, build, concerned } = setUp();
    build();
    caches.of(Pod).watched('MODIFIED', pod('p', 2, { owner: 'uid-w' }));
    expect(concerned).toEqual([['ns/v']]);
  });

  test('a change outside a projection enqueues nothing, one through the filter does', () => {
    const { caches, build, concerned } = setUp();
    build();
    caches.of(Pod).watched('ADDED', pod('x', 10, { owner: 'uid-w', labels: { loud: 'yes' } }));
    caches.of(Pod).watched('MODIFIED', pod('x', 11, { owner: 'uid-w', labels: { loud: 'yes', more: '1' } }));
    caches.of(Pod).watched('MODIFIED', pod('x', 12, { owner: 'uid-w', labels: {} }));
    expect(concerned).toEqual([['ns/v'], [], ['ns/v']]);
  });

  test('subscriptions are replaced, and dropped', () => {
    const { caches, build, concerned, subscriptions } = setUp();
    build();
    subscriptions.drop('ns/v');
    caches.of(Pod).watched('MODIFIED', pod('p', 2, { owner: 'uid-v' }));
    expect(concerned).toEqual([[]]);
  });
});
