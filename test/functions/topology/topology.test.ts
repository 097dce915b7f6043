import { afterEach, describe, expect, test } from 'vitest';
import { KubeVirt as KubeVirtKind, Node as NodeKind } from '../../../functions/core/kinds.ts';
import type { KubeObject, Node } from '../../../functions/core/objects.ts';
import { topology as controller } from '../../../functions/topology/reads.ts';
import { reconcile } from '../../../functions/topology/reconcile.ts';
import { ModelCluster } from '../model/cluster.ts';
import { Driver } from '../model/driver.ts';
import { instance, type NodeTraits, OFFER, tscNode } from '../rules/tsc/objects.ts';

const KEY = 'kubevirt/kubevirt';

class World {
  readonly cluster = new ModelCluster();
  readonly driver = new Driver(this.cluster, controller, reconcile);

  constructor(minimumClusterTSCFrequency?: number) {
    this.add({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: { name: 'kubevirt', namespace: 'kubevirt' } });
    if (minimumClusterTSCFrequency === undefined) return;
    const { kubevirt, ...rest } = this.driver.configuration;
    const developerConfiguration = { ...kubevirt.developerConfiguration, minimumClusterTSCFrequency };
    this.driver.configuration = { ...rest, kubevirt: { ...kubevirt, developerConfiguration } };
  }

  add(...objects: readonly KubeObject[]): this {
    for (const object of objects) this.cluster.create(object);
    return this;
  }
  node(name: string, traits: NodeTraits): this {
    return this.add(tscNode(name, traits));
  }
  /** VMIs with these hints. */
  inUse(...hints: readonly (number | undefined)[]): this {
    return this.add(...hints.map((tscFrequency, i) => instance(`vmi-${i}`, { topologyHints: { tscFrequency } })));
  }
  run(): this {
    this.driver.settle(KEY);
    return this;
  }
  offers(name = 'n'): readonly (number | string)[] {
    const labels = this.cluster.get<Node>(NodeKind, name)?.metadata.labels ?? {};
    const suffixes = Object.keys(labels).flatMap((key) => (key.startsWith(OFFER) ? [key.slice(OFFER.length)] : []));
    return suffixes.map((s) => (/^\d+$/.test(s) ? Number(s) : s)).sort((a, b) => Number(a) - Number(b));
  }
}

const made: World[] = [];
function world(minimum?: number): World {
  const created = new World(minimum);
  made.push(created);
  return created;
}
afterEach(() => {
  for (const w of made.splice(0)) {
    w.cluster.refuse.clear();
    w.run();
    expect(w.driver.pass(KEY)).toEqual({ type: 'done', actions: [] });
  }
});

describe('the labels of one node (node.md B5)', () => {
  test('node case 44: hints in use are told apart, none and 0 are none', () => {
    const w = world(100).node('n', { tsc: 1000 }).inUse(99, 101, 101, 0, undefined).run();
    expect(w.offers()).toEqual([99, 100, 101, 1000]);
  });

  test('node case 48: its own and the lowest', () => {
    expect(world(100).node('n', { tsc: 123 }).run().offers()).toEqual([100, 123]);
  });

  test('node case 49: one that is not scalable offers its own alone', () => {
    expect(world(100).node('n', { tsc: 123, scalable: false }).run().offers()).toEqual([123]);
  });

  test('node case 50: what is not required any more goes', () => {
    const w = world(100)
      .node('n', { tsc: 123, offers: [99, 200, 123] })
      .run();
    expect(w.offers()).toEqual([100, 123]);
  });

  test('node case 51: what is in use stays', () => {
    const w = world(100)
      .node('n', { tsc: 123, offers: [98, 99, 101, 200, 123] })
      .inUse(99, 101)
      .run();
    expect(w.offers()).toEqual([99, 100, 101, 123]);
  });

  test('node case 52: nothing to change, no patch', () => {
    const w = world(100).node('n', { tsc: 123, offers: [100, 123] });
    expect(w.driver.pass(KEY)).toEqual({ type: 'done', actions: [] });
  });

  test('node case 53, vmi case 118: within the tolerance above, not beyond it', () => {
    const w = world(1)
      .node('n', { tsc: 123123, offers: [2, 4] })
      .inUse(1, 2, 3, 123130, 200000)
      .run();
    expect(w.offers()).toEqual([1, 2, 3, 123123, 123130]);
  });

  test('node case 54, vmi case 118: not scalable, within the tolerance on either side', () => {
    const w = world(1)
      .node('n', { tsc: 123123, scalable: false, offers: [2, 4] })
      .inUse(1, 2, 123120, 123130, 123093, 123153, 123092, 123154)
      .run();
    expect(w.offers()).toEqual([123093, 123120, 123123, 123130, 123153]);
  });

  test('node case 56: a label that ends in no number is left alone', () => {
    const w = world(100)
      .node('n', { tsc: 123, offers: ['sowrong', '007', '1.5'] })
      .run();
    expect(w.offers()).toHaveLength(5);
    expect(w.offers()).toEqual(expect.arrayContaining(['sowrong', 100, 123]));
  });

  test('node case 59: on a scalable node a frequency in use above its own is neither taken nor given', () => {
    expect(
      world(100)
        .node('n', { tsc: 123, offers: [200] })
        .inUse(200)
        .run()
        .offers(),
    ).toEqual([100, 123, 200]);
    expect(world(100).node('n', { tsc: 123 }).inUse(200).run().offers()).toEqual([100, 123]);
  });

  test('other labels stay, and one of another value is set right', () => {
    const w = world(100).node('n', { tsc: 123 });
    w.cluster.change(NodeKind, 'n', '', (n) =>
      Object.assign(n.metadata.labels ?? {}, { zone: 'z', [`${OFFER}100`]: 'no' }),
    );
    w.run();
    expect(w.cluster.get<Node>(NodeKind, 'n')?.metadata.labels).toMatchObject({ zone: 'z', [`${OFFER}100`]: 'true' });
  });
});

describe('all nodes', () => {
  test('the lowest frequency is that of the nodes; one that changes its pace moves all labels', () => {
    const w = world().node('a', { tsc: 300 }).node('b', { tsc: 200 }).run();
    expect([w.offers('a'), w.offers('b')]).toEqual([[200, 300], [200]]);
    w.cluster.delete(NodeKind, 'b', '');
    w.node('c', { tsc: 250 }).run();
    expect([w.offers('a'), w.offers('c')]).toEqual([[250, 300], [250]]);
  });

  test('node case 55: one that cannot be read is left out', () => {
    const w = world()
      .node('bad', { tsc: 'abc', offers: [7] })
      .node('n', { tsc: 123 })
      .node('bare', {})
      .run();
    expect([w.offers('bad'), w.offers('n'), w.offers('bare')]).toEqual([[7], [123], []]);
  });

  test('node case 57: without a lowest frequency nothing is touched', () => {
    const w = world(0)
      .node('n', { tsc: 123, offers: [99] })
      .inUse(5)
      .run();
    expect(w.offers()).toEqual([99]);
  });

  test('node case 58: a node that cannot be patched holds up none, whether one fails or two', () => {
    for (const failing of [['a'], ['a', 'b'], ['a', 'c']]) {
      const w = world();
      for (const name of ['a', 'b', 'c', 'd']) w.node(name, { tsc: 123 });
      for (const name of failing) {
        const refusal = { code: 500, reason: 'Refused', message: 'no' };
        w.cluster.refuse.set(`frequencies of ${name}`, refusal);
      }
      const outcomes = [1, 2, 3, 4].map(() => w.driver.pass(KEY).type);
      expect(outcomes).toContain('retry');
      for (const name of ['a', 'b', 'c', 'd']) expect(w.offers(name)).toEqual(failing.includes(name) ? [] : [123]);
    }
  });

  test('node.md B-D1: where no node qualifies, 0 is not offered', () => {
    const w = world()
      .node('n', { tsc: 123, schedulable: false, offers: [0] })
      .run();
    expect(w.offers()).toEqual([123]);
  });

  test('nothing is done for a KubeVirt object elsewhere, or without one', () => {
    const w = world().node('n', { tsc: 123 });
    w.add({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: { name: 'kubevirt', namespace: 'other' } });
    expect(w.driver.pass('other/kubevirt')).toEqual({ type: 'done', actions: [] });
    w.cluster.delete(KubeVirtKind, 'kubevirt', 'kubevirt');
    expect(w.driver.pass(KEY)).toEqual({ type: 'done', actions: [] });
    expect(w.offers()).toEqual([]);
  });
});
