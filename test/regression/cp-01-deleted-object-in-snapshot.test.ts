// The observed state contains an object that is already deleted (crossplane issue 7711).
import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../events/relay/ports.ts';
import type { Action } from '../../functions/core/action.ts';
import { Pod, VirtualMachineInstance } from '../../functions/core/kinds.ts';
import type { KubeObject } from '../../functions/core/objects.ts';
import { DeliveryHarness, vmi } from '../events/relay/support/delivery-harness.ts';
import { pod } from '../events/relay/support/objects.ts';

const target = { kind: 'Pod', namespace: 'ns', name: 'pod-1' } as const;
/** What a function asks for that sees pod-1 of uid U1 in version 7. */
const asked: Readonly<Record<string, Action>> = {
  'a merge patch': {
    id: 'x',
    verb: 'patch',
    target,
    patch: { type: 'merge', body: { metadata: { labels: { a: 'b' } } }, uid: 'U1', resourceVersion: '7' },
  },
  'a JSON patch that tests the uid': {
    id: 'x',
    verb: 'patch',
    target,
    patch: {
      type: 'json',
      operations: [
        { op: 'test', path: '/metadata/uid', value: 'U1' },
        { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
      ],
    },
  },
  'a deletion': { id: 'x', verb: 'delete', target, uid: 'U1', resourceVersion: '7' },
};

const onServer: Readonly<Record<string, KubeObject | undefined>> = {
  'is gone': undefined,
  'bears the name with another uid': pod('pod-1', 50, { owner: 'uid-a' }, 'U2'),
};

/** The API server's answer to a request about pod-1, as it really is. */
function answerAbout(live: KubeObject | undefined, request: HttpRequest) {
  if (live === undefined) return { status: 404, body: { kind: 'Status', reason: 'NotFound', message: 'not found' } };
  if (request.method === 'GET') return { status: 200, body: live };
  const body = JSON.parse(String(request.body)) as {
    metadata?: { uid?: string };
    preconditions?: { uid?: string };
  };
  const uid = Array.isArray(body)
    ? (body as { path: string; value: string }[]).find((o) => o.path === '/metadata/uid')?.value
    : (body.metadata?.uid ?? body.preconditions?.uid);
  if (uid === undefined || uid === live.metadata.uid) return { status: 200, body: { ...live, touched: true } };
  return { status: Array.isArray(body) ? 422 : 409, body: { kind: 'Status', reason: 'Conflict', message: 'uid' } };
}

async function told(action: Action, live: KubeObject | undefined) {
  const h = new DeliveryHarness('a');
  h.caches.of(Pod).replace([pod('pod-1', 7, { owner: 'uid-a' }, 'U1')], '10', 1);
  h.kube.answer = (request) => answerAbout(live, request);
  h.decide = (item) => {
    const shown = (item.reads['pods'] as KubeObject[])[0];
    return { outcome: { type: 'done' }, actions: shown?.metadata.uid === 'U1' ? [action] : [] };
  };
  h.delivery.start();
  await h.time.advance(10_000);
  return h;
}

describe.each(Object.entries(onServer))('the pod of the snapshot %s', (_, live) => {
  test.each(Object.entries(asked))(
    '%s: dropped, read anew, one retry that sees the truth, nothing made or touched',
    async (_name, action) => {
      const h = await told(action, live);
      const shown = h.itemsOf('ns/a').map((i) => (i.reads['pods'] as KubeObject[]).map((p) => p.metadata.uid));
      expect(shown).toEqual([['U1'], live === undefined ? [] : ['U2']]);
      const methods = h.kube.requests.map((r) => r.method).filter((m) => m !== 'GET');
      expect(methods).toEqual([action.verb === 'delete' ? 'DELETE' : 'PATCH']);
      // Not even when the watch, which is behind, brings what was before the end.
      h.caches.of(Pod).watched('MODIFIED', pod('pod-1', 11, { owner: 'uid-a', labels: { late: 'yes' } }, 'U1'));
      h.caches.of(Pod).watched('DELETED', pod('pod-1', 12, { owner: 'uid-a' }, 'U1'));
      await h.time.advance(10_000);
      expect(h.itemsOf('ns/a')).toHaveLength(2);
      expect(h.caches.of(Pod).get('ns/pod-1')?.metadata.uid).toBe(live?.metadata.uid);
      expect(h.kube.requests.filter((r) => r.method !== 'GET')).toHaveLength(1);
    },
  );
});

test('the primary itself is gone: the retry shows it absent', async () => {
  const h = new DeliveryHarness('a');
  h.decide = (item) => ({
    outcome: { type: 'done' },
    actions: item.primary === null ? [] : [{ id: 'u', verb: 'update', object: vmi('a', 5) }],
  });
  h.delivery.start();
  await h.time.advance(10_000);
  expect(h.itemsOf('ns/a').map((i) => i.primary?.metadata.uid)).toEqual(['uid-a', undefined]);
  expect(h.caches.of(VirtualMachineInstance).get('ns/a')).toBeUndefined();
  expect(h.kube.requests.filter((r) => r.method !== 'GET')).toHaveLength(1);
});
