// Sync called for unrelated objects (metacontroller issue 883).
import { describe, expect, test } from 'vitest';
import { Caches } from '../../events/relay/cache/caches.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { Reflectors } from '../../events/relay/reflector/reflectors.ts';
import { anyController, type Controller } from '../../functions/core/controller.ts';
import type { KubeObject } from '../../functions/core/objects.ts';
import { node } from '../../functions/node/reads.ts';
import { vm } from '../../functions/vm/reads.ts';
import { vmi } from '../../functions/vmi/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';
import { ScriptedHttp } from '../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';

const CHANGES = 1000;
const controllers: readonly Controller[] = [anyController(vm), anyController(vmi), anyController(node)];

function object(apiVersion: string, kind: string, name: string, labels = {}, parts: object = {}): KubeObject {
  return { apiVersion, kind, ...parts, metadata: { name, namespace: 'ns', labels } } as KubeObject;
}
const volumes = [{ name: 'boot', persistentVolumeClaim: { claimName: 'used' } }];
const machine = object('kubevirt.io/v1', 'VirtualMachine', 'a', {}, { spec: { template: { spec: { volumes } } } });
const instance = object('kubevirt.io/v1', 'VirtualMachineInstance', 'a', {}, { spec: { domain: {}, volumes } });
const host: KubeObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', labels: { 'kubevirt.io/schedulable': 'true' } },
};

const ownedElsewhere = {
  ownerReferences: [{ apiVersion: 'v1', kind: 'VirtualMachine', name: 'x', uid: 'x', controller: true }],
};
const owned = (o: KubeObject): KubeObject => ({ ...o, metadata: { ...o.metadata, ...ownedElsewhere } });

/** Objects in the same namespace that nobody's snapshot holds, each in its i-th state. */
const unrelated: Readonly<Record<string, (i: number) => KubeObject>> = {
  ConfigMap: (i) => object('v1', 'ConfigMap', 'c', { i: String(i) }),
  Secret: (i) => object('v1', 'Secret', 's', { i: String(i) }),
  'Pod of nobody': (i) => object('v1', 'Pod', 'p', { i: String(i) }, { spec: { containers: [] } }),
  'Pod of others': (i) =>
    owned(object('v1', 'Pod', 'p', { i: String(i) }, { spec: { nodeName: 'n', containers: [] } })),
  'claim that nobody names': (i) => object('v1', 'PersistentVolumeClaim', 'free', { i: String(i) }, { spec: {} }),
  'revision of another owner': (i) => owned(object('apps/v1', 'ControllerRevision', 'r', { i: String(i) })),
  ResourceQuota: (i) => object('v1', 'ResourceQuota', 'q', {}, { status: { used: { pods: String(i) } } }),
  DaemonSet: (i) => object('apps/v1', 'DaemonSet', 'd', { 'kubevirt.io': 'virt-handler', i: String(i) }),
};

describe('a thousand changes of an object that is in no snapshot', () => {
  test.each(Object.entries(unrelated))('%s: nobody is called', async (_, make) => {
    const relay = new Deliveries(controllers, machine, instance, host);
    expect((await relay.start()).sort()).toEqual(['node n', 'vm ns/a', 'vmi ns/a']);
    for (let i = 0; i < CHANGES; i++) {
      relay.see(make(i));
      if (i % 100 === 99) relay.seeGone(make(i));
    }
    expect(await relay.newKeys()).toEqual([]);
  });
});

test('a thousand other VMs and VMIs: each calls for itself alone', async () => {
  const relay = new Deliveries(controllers, machine, instance, host);
  await relay.start();
  for (let i = 0; i < CHANGES; i++) {
    const name = `other${i}`;
    relay.see(
      { ...machine, metadata: { name, namespace: 'ns' } },
      { ...instance, metadata: { name, namespace: 'ns' } },
    );
  }
  await relay.time.advance(10_000);
  const keys = relay.delivered.map(({ item }) => item.key);
  expect(keys.filter((key) => key === 'ns/a' || key === 'n')).toEqual([]);
  expect(new Set(keys).size).toBe(CHANGES);
});

test('kinds that no controller reads are not even listed', async () => {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  http.answer = () => ({ status: 200, body: { metadata: { resourceVersion: '1' }, items: [] } });
  const caches = new Caches();
  const read = new Set<string>();
  for (const c of controllers) {
    for (const kind of [
      c.primary,
      ...Object.values(c.reads).map((r) => r.kind),
      ...(c.keys ?? []).map((k) => k.kind),
    ]) {
      caches.of(kind);
      read.add(kind.plural);
    }
  }
  const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
  new Reflectors(caches, api, time.ports, () => undefined).start();
  await time.advance(1_000);
  const asked = new Set([...http.requests, ...http.streams].map(({ path }) => /([a-z]+)\?/.exec(path)?.[1] ?? path));
  asked.delete('customresourcedefinitions');
  expect([...asked].filter((plural) => !read.has(plural))).toEqual([]);
  expect(asked).toContain('pods');
  // Somebody may ask for one by name, but nobody has.
  expect(asked).not.toContain('configmaps');
  expect(read).not.toContain('secrets');
});
