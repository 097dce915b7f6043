import { describe, expect, test } from 'vitest';
import type { KubeObject, Node, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { NodeRelay } from './relay.ts';

const node = (name: string, schedulable = 'true', extra: Partial<Node> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: { 'kubevirt.io/schedulable': schedulable },
    annotations: { 'kubevirt.io/heartbeat': '2026-12-01T00:00:00Z' },
  },
  ...extra,
});

const vmi = (name: string, on: string | undefined, phase = 'Running', extra: object = {}): KubeObject => {
  const object = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'ns', labels: on === undefined ? {} : { 'kubevirt.io/nodeName': on } },
    spec: {},
    status: { phase, nodeName: on, ...extra },
  };
  return object as unknown as VirtualMachineInstance;
};

const pod = (name: string, on: string): KubeObject => {
  const metadata = { name, namespace: 'ns', labels: { 'kubevirt.io': 'virt-launcher' } };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: on } } as KubeObject;
};

const names = (read: unknown) => (read as KubeObject[]).map((o) => o.metadata.name);

describe('what wakes the node controller', () => {
  test('all nodes at the start, and nodes that are gone and still have VMIs', async () => {
    const relay = new NodeRelay(node('n1'), vmi('a', 'gone'), vmi('b', 'n1'), vmi('c', 'over', 'Succeeded'));
    expect(await relay.start()).toEqual(['n1', 'gone']);
  });

  test('a node whose status is written every second: nothing is delivered', async () => {
    const relay = new NodeRelay(node('n1'));
    await relay.start();
    const conditions = (second: number) => [
      { type: 'Ready', status: 'True', lastHeartbeatTime: new Date(relay.time.now + second).toISOString() },
    ];
    for (let second = 0; second < 60; second++) {
      relay.see(node('n1', 'true', { status: { conditions: conditions(second) } }));
      expect(await relay.newKeys()).toEqual([]);
    }
  });

  test('a heartbeat, a changed label, the end of a node', async () => {
    const relay = new NodeRelay(node('n1'));
    await relay.start();
    relay.see({ ...node('n1'), metadata: { name: 'n1', labels: { 'kubevirt.io/schedulable': 'true' } } });
    expect(await relay.newKeys()).toEqual(['n1']);
    relay.see(node('n1', 'false'));
    expect(await relay.newKeys()).toEqual(['n1']);
    relay.seeGone(node('n1', 'false'));
    expect(await relay.newKeys()).toEqual(['n1']);
  });

  test('a schedulable node is seen alone, and VMIs that start there do not wake it', async () => {
    const relay = new NodeRelay(node('n1'), vmi('a', 'n1'), pod('p', 'n1'));
    const [item] = await relay.startWhole();
    expect(item?.reads).toEqual({ instances: [], pods: [], agentSets: [] });
    expect(item?.primary).not.toHaveProperty('status');
    relay.see(vmi('b', 'n1', 'Scheduled'), pod('q', 'n1'));
    expect(await relay.newKeys()).toEqual([]);
  });

  test('a node out of scheduling, and one that is gone, are seen with VMIs and pods', async () => {
    const relay = new NodeRelay(
      node('n1', 'false'),
      vmi('a', 'n1'),
      vmi('b', 'gone'),
      pod('p', 'n1'),
      pod('q', 'gone'),
    );
    const items = await relay.startWhole();
    expect(items.map(({ key, reads }) => [key, names(reads['instances']), names(reads['pods'])])).toEqual([
      ['n1', ['a'], ['p']],
      ['gone', ['b'], ['q']],
    ]);
  });

  test('node case 35: a VMI that is new on an unresponsive node wakes it; one without a node, or deleted, nobody', async () => {
    const relay = new NodeRelay();
    await relay.start();
    relay.see(vmi('a', undefined, 'Scheduling'));
    expect(await relay.newKeys()).toEqual([]);
    relay.see(vmi('a', 'n1', 'Scheduled'));
    expect(await relay.newKeys()).toEqual(['n1']);
    relay.see(vmi('a', 'n1', 'Scheduled', { guestOSInfo: { id: 'fedora' } }));
    expect(await relay.newKeys()).toEqual([]);
  });

  test('node case 36: a VMI that migrates wakes the node that it comes to', async () => {
    const relay = new NodeRelay(vmi('a', 'n1'));
    await relay.start();
    relay.see(vmi('a', 'n2'));
    expect(await relay.newKeys()).toContain('n2');
  });

  test('node case 37: fifty changes while a node is processed -> one further pass', async () => {
    const relay = new NodeRelay(node('n1', 'false'));
    relay.latencyMs = 500;
    await relay.start();
    relay.see(vmi('a', 'n1', 'Scheduled'));
    await relay.time.advance(100);
    for (let i = 0; i < 50; i++) relay.see(vmi(`b${i}`, 'n1', 'Scheduled'));
    await relay.time.advance(2000);
    expect(await relay.newKeys()).toEqual(['n1', 'n1']);
  });

  test('node case 34: while VMIs or pods cannot be listed nothing is decided', async () => {
    const relay = new NodeRelay(node('n1', 'false'));
    relay.kindStates['Pod'] = 'unknown';
    expect(await relay.start()).toEqual([]);
  });

  test('the end of the last pod of a node that is gone wakes it, and then nothing does', async () => {
    const relay = new NodeRelay(vmi('a', 'gone'), pod('p', 'gone'));
    await relay.start();
    relay.seeGone(pod('p', 'gone'));
    expect(await relay.newKeys()).toEqual(['gone']);
    relay.see(vmi('a', 'gone', 'Failed'));
    expect(await relay.newKeys()).toEqual(['gone']);
    relay.see(vmi('a', 'gone', 'Failed', { reason: 'x' }), pod('q', 'gone'));
    expect(await relay.newKeys()).toEqual([]);
  });
});
