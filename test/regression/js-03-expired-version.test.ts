// A 410 inside an open stream is not handled (kubernetes-client/javascript PR 2429); nor one in any other place.
import { describe, expect, test } from 'vitest';
import { type Change, KindCache } from '../../events/relay/cache/kind-cache.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { Reflector } from '../../events/relay/reflector/reflector.ts';
import { Pod } from '../../functions/core/kinds.ts';
import { pod } from '../events/relay/support/objects.ts';
import { ScriptedHttp, type ScriptedStream } from '../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const gone: Answer = { status: 410, body: { reason: 'Expired', message: 'too old resource version' } };
const page = (version: string, items: readonly object[], next?: string): Answer => ({
  status: 200,
  body: { metadata: { resourceVersion: version, continue: next }, items },
});

/** A reflector that has seen `a` and `vanished` in version 10; by version 50 `a` is newer and `vanished` is not there. */
async function following() {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  const answers: Answer[] = [page('10', [pod('a', 5), pod('vanished', 6)])];
  http.answer = () => answers.shift() ?? page('50', [pod('a', 40)]);
  const cache = new KindCache(Pod);
  new Reflector(cache, new KubeApi(http, time.ports.timers, () => Promise.resolve()), time.ports).start(1);
  await time.advance(0);
  const changes: Change[] = [];
  cache.onChange((change) => changes.push(change));
  return { http, time, cache, changes, answers };
}

/** What holds after the version expired: all differences were told once, and the watch goes on from the new list. */
async function expectCaughtUp({ http, time, cache, changes }: Awaited<ReturnType<typeof following>>): Promise<void> {
  expect(changes.map((c) => [c.old?.metadata.name, c.new?.metadata.resourceVersion])).toEqual([
    ['a', '40'],
    ['vanished', undefined],
  ]);
  const stream = http.streams.at(-1);
  expect(stream?.path).toContain('resourceVersion=50');
  stream?.send({ type: 'ADDED', object: pod('b', 51) });
  await time.advance(0);
  expect([...cache.keys()]).toEqual(['ns/a', 'ns/b']);
  expect(cache.position).toBe('51');
}

describe('an expired version', () => {
  test('inside the stream', async () => {
    const f = await following();
    f.http.streams[0]?.send({ type: 'ERROR', object: { code: 410, message: 'too old' } });
    await f.time.advance(100);
    await expectCaughtUp(f);
  });

  test('inside the stream, after events', async () => {
    const f = await following();
    f.http.streams[0]?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '12' } } });
    f.http.streams[0]?.send({ type: 'ERROR', object: { code: 410, message: 'too old' } });
    await f.time.advance(100);
    await expectCaughtUp(f);
  });

  test('as the status of the watch', async () => {
    const f = await following();
    let refused = false;
    f.http.openStream = () => {
      if (refused) return undefined;
      refused = true;
      return gone;
    };
    f.http.streams[0]?.end();
    await f.time.advance(1000);
    await expectCaughtUp(f);
  });

  test('of the continue token, while the list is made again: nothing of the first pages is taken', async () => {
    const f = await following();
    f.answers.push(page('30', [pod('a', 20), pod('stale', 21)], 'token'), gone);
    f.http.streams[0]?.send({ type: 'ERROR', object: { code: 410 } });
    await f.time.advance(1000);
    await expectCaughtUp(f);
  });
});

test('of the continue token, in the first list', async () => {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  const answers: Answer[] = [page('1', [pod('stale', 1)], 'token'), gone];
  http.answer = () => answers.shift() ?? page('9', [pod('a', 3)]);
  const cache = new KindCache(Pod);
  new Reflector(cache, new KubeApi(http, time.ports.timers, () => Promise.resolve()), time.ports).start(1);
  await time.advance(1000);
  expect([...cache.keys()]).toEqual(['ns/a']);
});

test.each(['status', 'event', 'page'])(
  'a server to which every version is too old is not asked without pause: %s',
  async (where) => {
    const f = await following();
    const stream = f.http.stream.bind(f.http);
    if (where === 'status') f.http.openStream = () => gone;
    if (where === 'page') f.http.answer = ({ path }) => (path.includes('continue=') ? gone : page('50', [], 'token'));
    if (where === 'event') {
      f.http.stream = async (request) => {
        const opened = await stream(request);
        (opened as ScriptedStream).send({ type: 'ERROR', object: { code: 410 } });
        return opened;
      };
    }
    f.http.streams[0]?.send({ type: 'ERROR', object: { code: 410 } });
    await f.time.advance(60_000);
    expect(f.http.requests.length).toBeLessThan(40);
    f.http.stream = stream;
    f.http.openStream = () => undefined;
    f.http.answer = () => page('50', [pod('a', 40)]);
    await f.time.advance(16_000);
    expect(f.cache.get('ns/a')?.metadata.resourceVersion).toBe('40');
  },
);
