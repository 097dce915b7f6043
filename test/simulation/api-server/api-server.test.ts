/** What a real server can't be made to show at will: compaction, bookmarks, the passing of time, writes within deliveries. */
import { describe, expect, test } from 'vitest';
import { ApiServer } from './api-server.ts';
import type { WatchEvent } from './ports.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function started() {
  let nowMs = Date.UTC(2026, 0, 1);
  let uuids = 0;
  const server = new ApiServer({ now: () => nowMs, random: () => 0.5, uuid: () => `uid-${++uuids}` }, []);
  const ask = (method: string, path: string, body?: unknown) => server.request({ method, path, body });
  const add = (name: string) => ask('POST', configMaps, { metadata: { name } });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { server, ask, add, pass };
}

/** `ADDED a`, `ERROR 410`. */
function told(events: readonly WatchEvent[]): string[] {
  return events.map((e) => `${e.type} ${e.type === 'ERROR' ? e.object.code : e.object.metadata.name}`);
}

describe('history', () => {
  test('a watch from a version that is compacted gets 410 and nothing after; one from the present goes on', () => {
    const { server, add } = started();
    const old = server.resourceVersion;
    add('a');
    server.compact();
    const [late, timely]: WatchEvent[][] = [[], []];
    server.watch(`${configMaps}?watch=true&resourceVersion=${old}`, (e) => late?.push(e));
    server.watch(`${configMaps}?watch=true&resourceVersion=${server.resourceVersion}`, (e) => timely?.push(e));
    add('b');
    expect(told(late ?? [])).toEqual(['ERROR 410']);
    expect(told(timely ?? [])).toEqual(['ADDED b']);
  });

  test('a page of a compacted version gets 410, with a token for the rest as it is now', () => {
    const { server, ask, add } = started();
    for (const name of ['a', 'b', 'c']) add(name);
    const first = ask('GET', `${configMaps}?limit=1`).body as { metadata: { continue: string } };
    ask('DELETE', `${configMaps}/b`);
    const second = ask('GET', `${configMaps}?limit=1&continue=${first.metadata.continue}`).body as { items: object[] };
    expect(second.items).toMatchObject([{ metadata: { name: 'b' } }]);
    server.compact();
    const refused = ask('GET', `${configMaps}?limit=1&continue=${first.metadata.continue}`);
    expect(refused.status).toBe(410);
    const token = (refused.body as { metadata: { continue: string } }).metadata.continue;
    expect(ask('GET', `${configMaps}?limit=1&continue=${token}`).body).toMatchObject({
      items: [{ metadata: { name: 'c' } }],
    });
  });
});

describe('watches', () => {
  test('bookmarks go to those who asked, with the version of the whole store', () => {
    const { server, add } = started();
    const [asked, not]: WatchEvent[][] = [[], []];
    const query = `watch=true&resourceVersion=${server.resourceVersion}`;
    server.watch(`/api/v1/pods?${query}&allowWatchBookmarks=true`, (e) => asked?.push(e));
    server.watch(`/api/v1/pods?${query}`, (e) => not?.push(e));
    add('a');
    server.bookmark();
    expect(asked).toMatchObject([
      { type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: server.resourceVersion } } },
    ]);
    expect(not).toEqual([]);
  });

  test('a write within a delivery is told after the one it was made in, to everybody', () => {
    const { server, ask, add } = started();
    const [first, second]: WatchEvent[][] = [[], []];
    const path = `${configMaps}?watch=true&resourceVersion=${server.resourceVersion}`;
    server.watch(path, (e) => {
      first?.push(e);
      if (e.type === 'ADDED' && e.object.metadata.name === 'a') ask('DELETE', `${configMaps}/a`);
    });
    server.watch(path, (e) => second?.push(e));
    add('a');
    expect(told(first ?? [])).toEqual(['ADDED a', 'DELETED a']);
    expect(told(second ?? [])).toEqual(['ADDED a', 'DELETED a']);
  });

  test('a closed one is told nothing more', () => {
    const { server, add } = started();
    const events: WatchEvent[] = [];
    const watch = server.watch(`${configMaps}?watch=true&resourceVersion=${server.resourceVersion}`, (e) =>
      events.push(e),
    );
    if ('close' in watch) watch.close();
    add('a');
    expect(events).toEqual([]);
  });
});

test('what is answered can’t be changed', () => {
  const { ask, add } = started();
  add('a');
  const got = ask('GET', `${configMaps}/a`).body as { metadata: { labels?: object } };
  expect(() => Object.assign(got.metadata, { labels: {} })).toThrow(TypeError);
});

test('what a caller gave may be changed afterwards', () => {
  const { ask } = started();
  const body = { metadata: { name: 'a' }, data: { a: '1' } };
  ask('POST', configMaps, body);
  body.data.a = '2';
  expect(ask('GET', `${configMaps}/a`).body).toMatchObject({ data: { a: '1' } });
});

test('events are gone an hour after they were last written', () => {
  const { server, ask, pass } = started();
  const events = '/api/v1/namespaces/default/events';
  for (const name of ['once', 'twice'])
    ask('POST', events, { metadata: { name }, involvedObject: { namespace: 'default' } });
  pass(1_800_000);
  const again = {
    method: 'PATCH',
    path: `${events}/twice`,
    body: { count: 2 },
    contentType: 'application/merge-patch+json',
  };
  server.request(again);
  pass(1_800_000);
  expect(server.background()).toBe(true);
  expect([ask('GET', `${events}/once`).status, ask('GET', `${events}/twice`).status]).toEqual([404, 200]);
  pass(1_800_000);
  server.background();
  expect(ask('GET', `${events}/twice`).status).toBe(404);
});

test('a definition is served once it is established, and goes with its last object', () => {
  const { server, ask } = started();
  const things = '/apis/example.org/v1/namespaces/default/things';
  const thing = { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name: 'a', finalizers: ['example.org/f'] } };
  ask('POST', definitionsPath, {
    metadata: { name: 'things.example.org' },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  expect(ask('POST', things, thing).status).toBe(404);
  while (server.background());
  expect(ask('POST', things, thing).status).toBe(201);
  ask('DELETE', `${definitionsPath}/things.example.org`);
  while (server.background());
  expect(ask('GET', `${things}/a`).body).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } });
  const release = [{ op: 'remove', path: '/metadata/finalizers' }];
  server.request({ method: 'PATCH', path: `${things}/a`, body: release, contentType: 'application/json-patch+json' });
  while (server.background());
  expect(ask('GET', things).status).toBe(404);
  expect(ask('GET', `${definitionsPath}/things.example.org`).status).toBe(404);
});

test('controllers that have nothing to do write nothing', () => {
  const { server, pass } = started();
  while (server.background());
  pass(86_400_000);
  expect(server.background()).toBe(false);
});
