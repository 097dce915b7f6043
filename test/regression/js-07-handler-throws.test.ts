// Exceptions in event handlers vanish or kill the process (kubernetes-client/javascript issue 680).
import { describe, expect, test } from 'vitest';
import { Caches } from '../../events/relay/cache/caches.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { Reflector } from '../../events/relay/reflector/reflector.ts';
import {
  anyController,
  type Controller,
  defineController,
  keysFrom,
  type Reads,
} from '../../functions/core/controller.ts';
import { Node, Pod, VirtualMachineInstance } from '../../functions/core/kinds.ts';
import { byController, byNamespace } from '../../functions/core/object-index.ts';
import type { KubeObject, VirtualMachineInstance as Vmi } from '../../functions/core/objects.ts';
import { many } from '../../functions/core/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';
import { pod } from '../events/relay/support/objects.ts';
import { ScriptedHttp } from '../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';

const vmi = (name: string, parts: object = {}): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  ...parts,
  metadata: { name, namespace: 'ns' },
});

/** Throws as often as it is told to, for objects named `bad`. */
class Fuse {
  left = 0;
  blow(object: { metadata: { name: string } } | undefined): void {
    if (object?.metadata.name !== 'bad' || this.left === 0) return;
    this.left--;
    throw new Error('a defect');
  }
}

const sound = anyController(
  defineController({
    name: 'sound',
    primary: VirtualMachineInstance,
    concurrency: 2,
    eventSource: 'test',
    reads: { pods: many(Pod).by(byController, (v: Vmi) => v.metadata.uid) },
  }),
);

/** Controllers whose own code throws in one place each. */
const faulty: Readonly<Record<string, (fuse: Fuse) => Controller>> = {
  'in the filter of a read': (fuse) =>
    withReads({
      pods: many(Pod)
        .by(byNamespace, (v: Vmi) => v.metadata.namespace)
        .where((p, v) => {
          fuse.blow(v);
          return p.metadata.name !== '';
        }),
    }),
  'in what a read looks up': (fuse) =>
    withReads({
      pods: many(Pod).by(byNamespace, (v: Vmi) => {
        fuse.blow(v);
        return v.metadata.namespace;
      }),
    }),
  'in the projection of the primary': (fuse) => ({
    ...withReads({}),
    project: (v) => {
      fuse.blow(v);
      return v;
    },
  }),
};

function withReads(reads: Reads<Vmi>): Controller {
  return anyController(
    defineController({
      name: 'faulty',
      primary: VirtualMachineInstance,
      concurrency: 2,
      eventSource: 'test',
      reads,
    }),
  );
}

describe.each(Object.entries(faulty))('a controller’s code throws %s', (_, make) => {
  test('when a change comes: it is logged, and the key is served again; the others are served at once', async () => {
    const fuse = new Fuse();
    const relay = new Deliveries([make(fuse), sound], vmi('bad'), vmi('good'), pod('p', 0));
    await relay.start();
    fuse.left = 1;
    relay.see(vmi('bad', { spec: { changed: true } }), vmi('good', { spec: { changed: true } }));
    await relay.time.advance(900);
    const at = relay.delivered.map(({ controller, item }) => `${controller} ${item.key}`);
    expect(at).toEqual(expect.arrayContaining(['faulty ns/good', 'sound ns/bad', 'sound ns/good']));
    await relay.time.advance(10_000);
    const last = relay.delivered.findLast((d) => d.controller === 'faulty' && d.item.key === 'ns/bad');
    expect(last?.item.primary).toMatchObject({ spec: { changed: true } });
    expect(fuse.left).toBe(0);
    expect(relay.time.lines.join()).toMatch(/a change could not be judged|a snapshot could not be made/);
  });

  test('without end: its key waits longer and longer, nobody else does', async () => {
    const fuse = new Fuse();
    fuse.left = Number.POSITIVE_INFINITY;
    const relay = new Deliveries([make(fuse), sound], vmi('bad'), vmi('good'), pod('p', 0));
    const served = await relay.start();
    expect(served).toEqual(expect.arrayContaining(['faulty ns/good', 'sound ns/bad', 'sound ns/good']));
    relay.time.lines.length = 0;
    await relay.time.advance(120_000);
    expect(relay.time.lines.length).toBeLessThan(20);
    relay.see(vmi('good', { spec: { changed: true } }));
    expect(await relay.newKeys()).toEqual(expect.arrayContaining(['faulty ns/good', 'sound ns/good']));
    if (Object.keys(make(fuse).reads).length > 0) {
      relay.see(pod('p', 0, { labels: { changed: 'yes' } }));
      expect(await relay.newKeys()).toContain('faulty ns/good');
    }
    fuse.left = 0;
    await relay.time.advance(17_000);
    expect(relay.delivered.map(({ item }) => item.key)).toContain('ns/bad');
  });
});

test('a source of keys throws, at the start and later: nothing else suffers, and the key comes when it no longer does', async () => {
  const fuse = new Fuse();
  const source = keysFrom(Pod, (p) => {
    fuse.blow(p);
    return [p.spec.nodeName ?? ''];
  });
  const controller = anyController(
    defineController({ name: 'faulty', primary: Node, concurrency: 2, eventSource: 'test', keys: [source], reads: {} }),
  );
  fuse.left = 1;
  const bound = (name: string, on: string) => pod(name, 0, { spec: { nodeName: on } });
  const relay = new Deliveries([controller], bound('bad', 'n1'), bound('good', 'n2'));
  expect(await relay.start()).toEqual(['faulty n2']);
  expect(await relay.newKeys()).toEqual(['faulty n1']);
  fuse.left = 2;
  relay.see(bound('bad', 'n3'), bound('good', 'n4'));
  expect(await relay.newKeys()).toEqual(['faulty n4']);
  await relay.time.advance(5_000);
  expect(await relay.newKeys()).toEqual(['faulty n3']);
});

describe('a listener of the view throws', () => {
  async function following() {
    const http = new ScriptedHttp();
    const time = new VirtualTime();
    http.answer = () => ({ status: 200, body: { metadata: { resourceVersion: '10' }, items: [pod('a', 5)] } });
    const failed: string[] = [];
    const caches = new Caches(({ old, new: now }, error) => {
      failed.push(`${(now ?? old)?.metadata.name}: ${String(error)}`);
    });
    const cache = caches.of(Pod);
    const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
    new Reflector(cache, api, time.ports).start(1);
    await time.advance(0);
    const told: string[] = [];
    cache.onChange(() => {
      throw new Error('a defect');
    });
    cache.onChange(({ old, new: now }) => told.push((now ?? old)?.metadata.name ?? ''));
    return { http, time, cache, failed, told };
  }

  test('the stream goes on, the others are told, and it is known for which object', async () => {
    const { http, time, cache, failed, told } = await following();
    for (const [i, name] of ['b', 'c'].entries()) http.streams[0]?.send({ type: 'ADDED', object: pod(name, 11 + i) });
    await time.advance(0);
    expect(told).toEqual(['b', 'c']);
    expect(failed).toEqual(['b: Error: a defect', 'c: Error: a defect']);
    expect(http.streams).toHaveLength(1);
    expect(cache.position).toBe('12');
  });

  test('a list is taken whole', async () => {
    const { time, cache, told } = await following();
    cache.replace([pod('b', 20), pod('c', 21)], '30', 2);
    await time.advance(0);
    expect(told).toEqual(['a', 'b', 'c']);
    expect([...cache.keys()]).toEqual(['ns/b', 'ns/c']);
  });
});

test('an index throws once: the event comes again, nothing is lost', async () => {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  http.answer = () => ({ status: 200, body: { metadata: { resourceVersion: '10' }, items: [] } });
  const stream = http.stream.bind(http);
  // What the API server still has for who resumes from version 10.
  http.stream = async (request) => {
    const opened = await stream(request);
    if (request.path.includes('resourceVersion=10&')) {
      http.streams.at(-1)?.send({ type: 'ADDED', object: pod('bad', 11) });
      http.streams.at(-1)?.send({ type: 'ADDED', object: pod('good', 12) });
    }
    return opened;
  };
  const fuse = new Fuse();
  fuse.left = 1;
  const cache = new Caches().of(Pod);
  cache.addIndex({
    name: 'faulty',
    valuesOf: (p) => {
      fuse.blow(p);
      return [];
    },
  });
  new Reflector(cache, new KubeApi(http, time.ports.timers, () => Promise.resolve()), time.ports).start(1);
  await time.advance(1_000);
  expect([...cache.keys()]).toEqual(['ns/bad', 'ns/good']);
  expect(time.lines).toContain('reflector: trying again');
});
