import { describe, expect, test } from 'vitest';
import { KubeApi } from '../../../../events/relay/kube/api.ts';
import type { HttpRequest } from '../../../../events/relay/ports.ts';
import { sealingKey } from '../../../../events/relay/sealing/sealing-key.ts';
import { kindNamed } from '../../../../functions/core/kinds.ts';
import { ScriptedHttp } from '../support/scripted-http.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const secret = (key: string) => ({ kind: 'Secret', data: { key: Buffer.from(key).toString('base64') } });
const absent = { status: 404, body: { reason: 'NotFound' } };

function setUp(answer: ScriptedHttp['answer']) {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  http.answer = answer;
  const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
  let isWanted = true;
  const { ports } = time;
  const random = { next: () => 0, uuid: () => 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' };
  const key = sealingKey(api, 'kubevirt', { ...ports, random }, () => isWanted);
  return { time, http, key, enough: () => (isWanted = false) };
}

/** An API server with one Secret, or none yet. */
function storing(stored: { body?: unknown }) {
  return (request: HttpRequest) => {
    if (request.method === 'POST') stored.body = JSON.parse(String(request.body));
    return stored.body === undefined ? absent : { status: 200, body: stored.body };
  };
}

describe('the key', () => {
  test('is read from the Secret in the namespace of KubeVirt', async () => {
    const { key, http } = setUp(() => ({ status: 200, body: secret(KEY) }));
    expect(await key).toBe(KEY);
    expect(http.requests.map((r) => `${r.method} ${r.path}`)).toEqual([
      'GET /api/v1/namespaces/kubevirt/secrets/virt-functions-sealing',
    ]);
  });

  test('is made once: the next relay gets the same', async () => {
    const stored = {};
    const first = await setUp(storing(stored)).key;
    expect(first?.length).toBeGreaterThanOrEqual(32);
    const second = setUp(storing(stored));
    expect(await second.key).toBe(first);
    expect(second.http.requests.map((r) => r.method)).toEqual(['GET']);
  });

  test('of whoever made it first is taken', async () => {
    let isThere = false;
    const { key } = setUp((request) => {
      if (request.method === 'GET') return isThere ? { status: 200, body: secret(KEY) } : absent;
      isThere = true;
      return { status: 409, body: { reason: 'AlreadyExists' } };
    });
    expect(await key).toBe(KEY);
  });

  test.each<[string, ReturnType<ScriptedHttp['answer']>]>([
    ['the API server does not answer', new Error('reset')],
    ['it refuses', { status: 403, body: { reason: 'Forbidden' } }],
    ['the Secret holds no key', { status: 200, body: { kind: 'Secret' } }],
    ['the Secret holds a short one', { status: 200, body: secret('short') }],
  ])('is waited for while %s', async (_name, answer) => {
    let isWell = false;
    const { key, time } = setUp(() => (isWell ? { status: 200, body: secret(KEY) } : answer));
    await time.advance(10_000);
    isWell = true;
    await time.advance(2_000);
    expect(await key).toBe(KEY);
    expect(JSON.stringify(time.lines)).not.toContain('short');
  });

  test('is not waited for without the lease', async () => {
    const { key, time, enough } = setUp(() => absent);
    await time.advance(5);
    enough();
    await time.advance(2_000);
    expect(await key).toBeUndefined();
  });
});

test('Secrets are no kind that a controller can read, name or write', () => {
  expect(kindNamed('Secret')).toBeUndefined();
});
