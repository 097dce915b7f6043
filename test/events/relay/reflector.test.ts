import { describe, expect, test } from 'vitest';
import { KindCache } from '../../../events/relay/cache/kind-cache.ts';
import { KubeApi } from '../../../events/relay/kube/api.ts';
import { Reflector } from '../../../events/relay/reflector/reflector.ts';
import { ConfigMap, Pod } from '../../../functions/core/kinds.ts';
import { pod } from './support/objects.ts';
import { ScriptedHttp } from './support/scripted-http.ts';
import { settled, VirtualTime } from './support/virtual-time.ts';

async function running(lists: { objects: ReturnType<typeof pod>[]; version: string }[]) {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  let listed = 0;
  http.answer = () => {
    const list = lists[Math.min(listed++, lists.length - 1)];
    return { status: 200, body: { metadata: { resourceVersion: list?.version }, items: list?.objects } };
  };
  const cache = new KindCache(Pod);
  const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
  const reflector = new Reflector(cache, api, time.ports);
  reflector.start(1);
  await time.advance(0);
  return { http, time, cache, reflector, names: () => [...cache.keys()].sort() };
}

describe('list and watch', () => {
  test('lists, then watches from the list on, and takes events', async () => {
    const r = await running([{ objects: [pod('a', 5)], version: '10' }]);
    expect(r.names()).toEqual(['ns/a']);
    expect(r.http.streams[0]?.path).toContain('resourceVersion=10');
    expect(r.http.requests[0]?.path).not.toContain('resourceVersion');
    r.http.streams[0]?.send({ type: 'ADDED', object: pod('b', 11) });
    await r.time.advance(0);
    expect(r.names()).toEqual(['ns/a', 'ns/b']);
    expect(r.reflector.healthy).toBe(true);
  });

  test('a watch that the server ends is resumed from the last version, bookmarks included', async () => {
    const r = await running([{ objects: [], version: '10' }]);
    r.http.streams[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '42' } } });
    await r.time.advance(0);
    r.http.streams[0]?.end();
    await r.time.advance(100);
    expect(r.http.streams[1]?.path).toContain('resourceVersion=42');
    expect(r.http.requests).toHaveLength(1);
  });
});

test('a list of metadata without objects, which has null for them, is an empty one', async () => {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  http.answer = () => ({ status: 200, body: { metadata: { resourceVersion: '10' }, items: null } });
  const cache = new KindCache(ConfigMap);
  const reflector = new Reflector(cache, new KubeApi(http, time.ports.timers, () => Promise.resolve()), time.ports);
  reflector.start(1);
  await time.advance(0);
  expect(cache.position).toBe('10');
  expect(reflector.healthy).toBe(true);
});

test('of a kind that counts by its metadata alone nothing else is asked for', async () => {
  const http = new ScriptedHttp();
  const watches: (string | undefined)[] = [];
  http.openStream = ({ headers }) => {
    watches.push(headers['accept']);
    return undefined;
  };
  const meta = (name: string, version: number) => ({
    apiVersion: 'meta.k8s.io/v1',
    kind: 'PartialObjectMetadata',
    metadata: {
      name,
      namespace: 'ns',
      resourceVersion: String(version),
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"x"}}', kept: '1' },
    },
  });
  http.answer = () => ({ status: 200, body: { metadata: { resourceVersion: '10' }, items: [meta('a', 5)] } });
  const time = new VirtualTime();
  const cache = new KindCache(ConfigMap);
  new Reflector(cache, new KubeApi(http, time.ports.timers, () => Promise.resolve()), time.ports).start(1);
  await time.advance(0);
  http.streams[0]?.send({ type: 'ADDED', object: meta('b', 11) });
  await time.advance(0);

  expect(http.requests[0]?.headers['accept']).toBe('application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');
  expect(watches).toEqual(['application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1']);
  for (const name of ['a', 'b']) {
    expect(cache.get(`ns/${name}`)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(cache.get(`ns/${name}`)?.metadata.annotations).toEqual({ kept: '1' });
  }
});

describe('relist', () => {
  test('is built aside and swapped in, under the new token', async () => {
    const r = await running([
      { objects: [pod('a', 5)], version: '10' },
      { objects: [pod('b', 6)], version: '11' },
    ]);
    let done = false;
    void r.reflector.relist(7).then(() => (done = true));
    expect(r.names()).toEqual(['ns/a']);
    await r.time.advance(1000);
    expect(done).toBe(true);
    expect(r.names()).toEqual(['ns/b']);
    expect(r.cache.listedUnder).toBe(7);
  });

  test('a demand during a list that is under way gets a list of its own', async () => {
    const http = new ScriptedHttp();
    const time = new VirtualTime();
    const open: (() => void)[] = [];
    http.answer = () =>
      new Promise((resolve) =>
        open.push(() =>
          resolve({ status: 200, body: { metadata: { resourceVersion: String(open.length) }, items: [] } }),
        ),
      );
    const cache = new KindCache(Pod);
    const reflector = new Reflector(cache, new KubeApi(http, time.ports.timers, () => Promise.resolve()), time.ports);
    reflector.start(1);
    await settled();
    let done = false;
    void reflector.relist(2).then(() => (done = true));
    open[0]?.();
    await time.advance(1000);
    expect(done).toBe(false);
    open[1]?.();
    await time.advance(1000);
    expect(done).toBe(true);
    expect(cache.listedUnder).toBe(2);
  });
});
