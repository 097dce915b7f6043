import { describe, expect, test } from 'vitest';
import { Applier } from '../../../events/relay/apply/apply.ts';
import { Caches } from '../../../events/relay/cache/caches.ts';
import { EventRecorder } from '../../../events/relay/events/recorder.ts';
import { KubeApi } from '../../../events/relay/kube/api.ts';
import type { HttpRequest } from '../../../events/relay/ports.ts';
import type { Action, CreateAction } from '../../../functions/core/action.ts';
import { Pod, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { openGate } from './support/gatekeepers.ts';
import { pod } from './support/objects.ts';
import { ScriptedHttp } from './support/scripted-http.ts';
import { settled, VirtualTime } from './support/virtual-time.ts';

type Answers = Record<
  string,
  { status: number; body: unknown } | ((r: HttpRequest) => { status: number; body: unknown })
>;

function setUp(answers: Answers, permit = { mayAct: true, remainingMs: 15_000 }) {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  http.answer = (r) => {
    const found = Object.entries(answers).find(([k]) => `${r.method} ${r.path}`.startsWith(k))?.[1];
    if (found === undefined) return new Error(`unexpected ${r.method} ${r.path}`);
    return typeof found === 'function' ? found(r) : found;
  };
  const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
  const caches = new Caches();
  caches.of(Pod).replace([], '10', 1);
  caches.of(VirtualMachineInstance).replace([], '10', 1);
  const applier = new Applier(api, caches, permit);
  const recorder = new EventRecorder(api, time.ports, 'test', permit);
  return {
    http,
    time,
    caches,
    apply: (...actions: Action[]) => applier.apply(actions, recorder, openGate),
    sent: () => http.requests.map((r) => `${r.method} ${r.path}`),
  };
}

const wanted = { ...pod('launcher-x', 0, { owner: 'o', labels: { a: 'b' } }) };
const create: CreateAction = {
  id: 'create',
  verb: 'create',
  object: { ...wanted, metadata: { ...wanted.metadata, generateName: 'launcher-' } },
};
const live = (rv: number, extra: Record<string, unknown> = {}) => {
  const p = pod('launcher-x', rv, { owner: 'o', labels: { a: 'b' }, ...extra });
  return { ...p, metadata: { ...p.metadata, generateName: 'launcher-' } };
};
const conflict = { status: 409, body: { kind: 'Status', reason: 'AlreadyExists', message: 'exists' } };

describe('order', () => {
  test('actions are applied in order up to the first failure; the rest is not attempted', async () => {
    const { apply, sent } = setUp({
      'POST /api/v1/namespaces/ns/pods': { status: 403, body: { reason: 'Forbidden', message: 'quota' } },
    });
    const applied = await apply(
      create,
      {
        id: 'e',
        verb: 'event',
        type: 'Normal',
        reason: 'X',
        message: '',
        regarding: { kind: 'Pod', apiVersion: 'v1', namespace: 'ns', name: 'p' },
      },
      { id: 'd', verb: 'delete', target: { kind: 'Pod', namespace: 'ns', name: 'p' }, uid: 'u', resourceVersion: '1' },
    );
    expect(applied.results).toEqual([
      { id: 'create', status: 'failed', code: 403, reason: 'Forbidden', message: 'quota' },
      { id: 'd', status: 'not-attempted' },
    ]);
    await settled();
    expect(sent()).toEqual(['POST /api/v1/namespaces/ns/pods']);
  });

  test("a later action on the same object takes the version of the earlier one's result", async () => {
    const bodies: unknown[] = [];
    const { apply } = setUp({
      'PUT /apis/kubevirt.io/v1/namespaces/ns/virtualmachineinstances/v': (r) => {
        const body = JSON.parse(String(r.body)) as { metadata: { resourceVersion: string } };
        bodies.push(body.metadata.resourceVersion);
        return { status: 200, body: { ...body, metadata: { ...body.metadata, resourceVersion: '77' } } };
      },
    });
    const object = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name: 'v', namespace: 'ns', uid: 'u', resourceVersion: '5' },
    };
    await apply({ id: 'a', verb: 'update', object }, { id: 'b', verb: 'update', object });
    expect(bodies).toEqual(['5', '77']);
  });

  test('results enter the cache by the same path as watch events', async () => {
    const { apply, caches } = setUp({ 'POST /api/v1/namespaces/ns/pods': { status: 201, body: live(20) } });
    const applied = await apply(create);
    expect(applied.results).toEqual([{ id: 'create', status: 'done', kind: 'Pod', resourceVersion: '20' }]);
    expect(caches.of(Pod).get('ns/launcher-x')?.metadata.resourceVersion).toBe('20');
  });
});

describe('AlreadyExists', () => {
  const cases: [string, object, string, string][] = [
    ['our own earlier try', live(20), 'done', ''],
    [
      'ours, but dying: another name is taken',
      { ...live(20), metadata: { ...live(20).metadata, deletionTimestamp: 't' } },
      'conflict',
      '',
    ],
    ['ours, but finished', live(20, { status: { phase: 'Failed' } }), 'conflict', ''],
    ['of another owner', live(20, { owner: 'other' }), 'conflict', ''],
  ];
  test.each(cases)('%s', async (_name, object, status) => {
    const { apply, caches } = setUp({ POST: conflict, GET: { status: 200, body: object } });
    const applied = await apply(create);
    expect(applied.results[0]?.status).toBe(status);
    expect(caches.of(Pod).get('ns/launcher-x')).toBeDefined();
  });

  test('a fixed name that is foreign is a failure', async () => {
    const { apply } = setUp({ POST: conflict, GET: { status: 200, body: live(20, { owner: 'other' }) } });
    expect((await apply({ ...create, object: wanted })).results[0]).toMatchObject({ status: 'failed', code: 409 });
  });
});

test('a data volume that is filled already is as much ours as an empty one', async () => {
  const dataVolume = { ...live(20), apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'DataVolume' };
  const { apply } = setUp({
    POST: conflict,
    GET: { status: 200, body: { ...dataVolume, status: { phase: 'Succeeded' } } },
  });
  const applied = await apply({ id: 'create', verb: 'create', object: dataVolume });
  expect(applied.results[0]?.status).toBe('done');
});

describe('preconditions', () => {
  const absent = {
    ...create,
    preconditions: [{ type: 'absent-labels', kind: 'Pod', namespace: 'ns', labels: { owner: 'o' } }],
  } as const;

  test('absence is looked up at the API before the creation', async () => {
    const { apply, sent } = setUp({
      'GET /api/v1/namespaces/ns/pods?': { status: 200, body: { items: [] } },
      POST: { status: 201, body: live(20) },
    });
    expect((await apply(absent)).results[0]?.status).toBe('done');
    expect(sent()[0]).toBe('GET /api/v1/namespaces/ns/pods?limit=1&labelSelector=owner%3Do');
  });

  test('what is there after all enters the cache, and nothing is created', async () => {
    const { apply, sent, caches } = setUp({ GET: { status: 200, body: { items: [pod('other', 30)] } } });
    expect((await apply(absent)).results[0]?.status).toBe('conflict');
    expect(sent()).toHaveLength(1);
    expect(caches.of(Pod).get('ns/other')).toBeDefined();
  });

  const event: Action = {
    id: 'event Missing',
    verb: 'event',
    type: 'Normal',
    reason: 'Missing',
    message: 'it is not there',
    regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'ns', name: 'launcher-x' },
    preconditions: [{ type: 'absent-name', kind: 'Pod', namespace: 'ns', name: 'other' }],
  };

  test('an event that rests on what does not hold is not written, nor anything behind it', async () => {
    const { apply, sent, caches } = setUp({ GET: { status: 200, body: pod('other', 30) } });
    const applied = await apply(event, create);
    expect(applied.conflict).toEqual({ over: 'precondition' });
    expect(applied.results.map((r) => r.status)).toEqual(['conflict', 'not-attempted']);
    expect(sent()).toEqual(['GET /api/v1/namespaces/ns/pods/other']);
    expect(caches.of(Pod).get('ns/other')).toBeDefined();
  });

  test('one that rests on what holds is written, and has no result', async () => {
    const { apply } = setUp({
      GET: { status: 404, body: { kind: 'Status', reason: 'NotFound', message: 'none' } },
      POST: { status: 201, body: live(20) },
    });
    expect((await apply(event, create)).results).toMatchObject([{ id: 'create', status: 'done' }]);
  });

  test('one of which that can not be asked stops what is behind it, and is told as failed', async () => {
    const { apply } = setUp({ GET: { status: 500, body: { kind: 'Status', reason: 'InternalError', message: 'no' } } });
    expect((await apply(event, create)).results.map((r) => r.status)).toEqual(['failed', 'not-attempted']);
  });

  test('check and creation of one owner are one step for all', async () => {
    let made = 0;
    const { apply } = setUp({
      GET: () => ({ status: 200, body: { items: made > 0 ? [live(20)] : [] } }),
      POST: () => {
        made++;
        return { status: 201, body: live(20) };
      },
    });
    const results = await Promise.all([apply(absent), apply(absent), apply(absent)]);
    expect(made).toBe(1);
    expect(results.map((r) => r.results[0]?.status).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      'conflict',
      'conflict',
      'done',
    ]);
  });

  test.each([
    ['gone', { status: 404, body: { reason: 'NotFound' } }, 'conflict'],
    ['another uid', { status: 200, body: pod('p', 1, {}, 'other') }, 'conflict'],
    ['there', { status: 200, body: pod('p', 1, {}, 'u') }, 'done'],
  ])('live: %s', async (_name, answer, status) => {
    const { apply } = setUp({ GET: answer, PATCH: { status: 200, body: pod('p', 20, {}, 'u') } });
    const applied = await apply({
      id: 'adopt',
      verb: 'patch',
      target: { kind: 'Pod', namespace: 'ns', name: 'p' },
      patch: { type: 'merge', body: {}, uid: 'u', resourceVersion: '1' },
      preconditions: [{ type: 'live', kind: 'Pod', namespace: 'ns', name: 'p', uid: 'u' }],
    });
    expect(applied.results[0]?.status).toBe(status);
  });
});

describe('rights of others', () => {
  const asked = {
    ...create,
    preconditions: [
      {
        type: 'access-allowed',
        user: 'someone',
        groups: ['all'],
        anyOf: [
          [{ verb: 'create', group: 'g', resource: 'things', subresource: 'source', namespace: 'other', name: 'x' }],
          [
            { verb: 'create', resource: 'pods', namespace: 'other', name: 'x' },
            { verb: 'create', resource: 'pvcs', namespace: 'other', name: 'x' },
          ],
        ],
      },
    ],
  } as const;
  const reviews = 'POST /apis/authorization.k8s.io/v1/subjectaccessreviews';
  const answering = (allowed: readonly string[]) => {
    const resources: string[] = [];
    const answer = ({ body }: HttpRequest) => {
      const { spec } = JSON.parse(String(body)) as { spec: { user: string; resourceAttributes: { resource: string } } };
      expect(spec).toMatchObject({ user: 'someone', groups: ['all'] });
      resources.push(spec.resourceAttributes.resource);
      return { status: 201, body: { status: { allowed: allowed.includes(spec.resourceAttributes.resource) } } };
    };
    return { resources, ...setUp({ [reviews]: answer, POST: { status: 201, body: live(20) } }) };
  };

  test.each([
    [['things'], ['things'], 'done'],
    [['pods', 'pvcs'], ['things', 'pods', 'pvcs'], 'done'],
    [['pods'], ['things', 'pods', 'pvcs'], 'failed'],
    [['pvcs'], ['things', 'pods'], 'failed'],
  ])('one of the lists must be allowed as a whole: %s', async (allowed, asks, status) => {
    const { apply, resources, sent } = answering(allowed);
    expect((await apply(asked)).results[0]?.status).toBe(status);
    expect(resources).toEqual(asks);
    expect(sent().filter((s) => s.endsWith('/pods'))).toHaveLength(status === 'done' ? 1 : 0);
  });

  test('what is not allowed, or cannot be asked, has failed with its reason', async () => {
    const denied = answering([]);
    expect((await denied.apply(asked)).results[0]).toMatchObject({ status: 'failed', reason: 'AccessDenied' });
    const refused = setUp({ [reviews]: { status: 403, body: { reason: 'Forbidden', message: 'no reviews' } } });
    const { results } = await refused.apply(asked);
    expect(results[0]).toMatchObject({ status: 'failed', reason: 'AccessDenied' });
    expect(results[0]).toHaveProperty('message', expect.stringContaining('no reviews'));
  });
});

describe('calls of subresources', () => {
  const call: Action = {
    id: 'c',
    verb: 'subresource',
    target: { kind: 'VirtualMachineInstance', namespace: 'ns', name: 'v' },
    call: 'addvolume',
    body: { name: 'data' },
  };
  const path = 'PUT /apis/subresources.kubevirt.io/v1/namespaces/ns/virtualmachineinstances/v/addvolume';

  test('are PUT where the API server of KubeVirt takes them', async () => {
    const { apply, sent } = setUp({ [path]: { status: 202, body: undefined } });
    expect((await apply(call)).results).toEqual([{ id: 'c', status: 'done', kind: 'VirtualMachineInstance' }]);
    expect(sent()).toEqual([path]);
  });

  test.each([[404], [409], [500]])('refused with %i: failed, not a lost race', async (status) => {
    const { apply } = setUp({ [path]: { status, body: { reason: 'R', message: 'm' } } });
    expect((await apply(call)).results[0]).toMatchObject({ status: 'failed', code: status });
  });
});

describe('deletions', () => {
  const remove: Action = {
    id: 'd',
    verb: 'delete',
    target: { kind: 'Pod', namespace: 'ns', name: 'p' },
    uid: 'uid-p',
    resourceVersion: '7',
  };
  test('name uid and version; one that is gone has succeeded', async () => {
    const { apply, http } = setUp({ DELETE: { status: 404, body: { reason: 'NotFound' } } });
    expect((await apply(remove)).results).toEqual([{ id: 'd', status: 'done', kind: 'Pod' }]);
    expect(JSON.parse(String(http.requests[0]?.body))).toMatchObject({
      preconditions: { uid: 'uid-p', resourceVersion: '7' },
    });
  });

  test('another version is a lost race', async () => {
    const { apply } = setUp({ DELETE: { status: 409, body: { reason: 'Conflict' } } });
    expect((await apply(remove)).conflict).toMatchObject({ over: 'version', version: '7' });
  });
});

describe('fencing', () => {
  test('nothing is written without the lease', async () => {
    const { apply, sent } = setUp({}, { mayAct: false, remainingMs: 0 });
    expect((await apply(create)).results).toEqual([{ id: 'create', status: 'not-attempted' }]);
    expect(sent()).toEqual([]);
  });

  test('a write may take no longer than the lease lasts', async () => {
    const { apply, http } = setUp({ POST: { status: 201, body: live(20) } }, { mayAct: true, remainingMs: 6_000 });
    await apply(create);
    expect(http.requests[0]?.timeoutMs).toBe(5_500);
  });

  test('leadership that ends between check and write stops the write', async () => {
    const permit = { mayAct: true, remainingMs: 15_000 };
    const { apply, sent } = setUp(
      {
        GET: () => {
          permit.mayAct = false;
          return { status: 200, body: { items: [] } };
        },
      },
      permit,
    );
    await apply({
      ...create,
      preconditions: [{ type: 'absent-labels', kind: 'Pod', namespace: 'ns', labels: { owner: 'o' } }],
    });
    expect(sent()).toHaveLength(1);
  });
});
