/** Invariant 4 of the design, on the relay's pieces together: what is sealed is on no wire and in no log, and arrives all the same. */
import { describe, expect, test } from 'vitest';
import { encode } from '../../../events/envelope/decode.ts';
import type { Action } from '../../../functions/core/action.ts';
import { VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { writtenForm } from '../../../functions/core/written-form/written-form.ts';
import { DeliveryHarness, vmi } from './support/delivery-harness.ts';

const CANARY = 'canary-5f1d';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const done = { outcome: { type: 'done' }, actions: [] } as const;

const spec = {
  domain: { devices: {} },
  volumes: [
    { name: 'a', cloudInitNoCloud: { userData: `#cloud-config\npassword: ${CANARY}\n`, networkData: CANARY } },
    { name: 'b', cloudInitConfigDrive: { userDataBase64: `${CANARY}64`, networkDataBase64: `${CANARY}n64` } },
  ],
};

/** A VMI that `kubectl apply` has made. */
function applied(name: string): KubeObject {
  const bare = vmi(name, 5);
  const annotations = { [LAST_APPLIED]: JSON.stringify({ spec }) };
  return { ...bare, metadata: { ...bare.metadata, annotations }, spec } as KubeObject;
}

type Shown = KubeObject & { spec: typeof spec };

/** A harness whose one VMI has secrets; the function decides once on what it is shown. */
async function answering(decide: (shown: Shown) => Action) {
  const h = new DeliveryHarness('a');
  h.caches.of(VirtualMachineInstance).replace([applied('a')], '10', 1);
  h.kube.answer = (r) => ({ status: r.method === 'GET' ? 200 : 422, body: { reason: 'Invalid', message: invalid } });
  h.decide = (item) =>
    h.requests.length === 1 ? { outcome: { type: 'done' }, actions: [decide(item.primary as Shown)] } : done;
  h.delivery.start();
  await h.time.advance(1000);
  const wire = h.requests.map((r) => Buffer.from(encode(r)).toString('utf8')).join('\n');
  return { h, wire, log: h.time.written.join('\n'), sent: h.kube.requests.map((r) => String(r.body)).join('\n') };
}

const invalid = `spec.volumes[0].userData: Invalid value: ${JSON.stringify(`#cloud-config\npassword: ${CANARY}\n`)}: bad`;
const target = { kind: 'VirtualMachineInstance', namespace: 'ns', name: 'a' };

describe('canaries', () => {
  const put = (shown: Shown): Action => {
    const annotations = { ...shown.metadata.annotations, 'kubevirt.io/latest-observed-api-version': 'v1' };
    return { id: 'u', verb: 'update', object: writtenForm({ ...shown, metadata: { ...shown.metadata, annotations } }) };
  };
  // Its refusal counts as a lost race, which is not logged.
  const patch = (shown: Shown): Action => {
    const path = '/metadata/annotations';
    const { annotations } = shown.metadata;
    const operations = [
      { op: 'test', path, value: annotations },
      { op: 'replace', path, value: { ...annotations, 'kubevirt.io/latest-observed-api-version': 'v1' } },
      { op: 'test', path: '/spec/volumes', value: shown.spec.volumes },
    ] as const;
    return { id: 'p', verb: 'patch', target, patch: { type: 'json', operations } };
  };

  test.each([
    ['a PUT', put],
    ['a patch that tests all annotations', patch],
  ])('go to the API server with %s, and nowhere else', async (_name, decide) => {
    const { h, wire, log, sent } = await answering(decide);
    expect(h.refusals.counts).toEqual([]);
    const [volume, second] = spec.volumes;
    for (const secret of [
      volume?.cloudInitNoCloud?.userData,
      volume?.cloudInitNoCloud?.networkData,
      second?.cloudInitConfigDrive?.userDataBase64,
      second?.cloudInitConfigDrive?.networkDataBase64,
    ])
      expect(sent).toContain(`:${JSON.stringify(secret)}`);
    expect(sent).toContain(JSON.stringify(JSON.stringify({ spec })));
    expect(sent).not.toContain('sealed:');
    // The API server has quoted one in its refusal, which the function is told and the relay writes down.
    expect(h.requests.length).toBeGreaterThan(1);
    expect(wire).toContain('Invalid value: [sealed]: bad');
    expect(log.includes('Invalid value: [sealed]: bad')).toBe(decide === put);
    expect(wire).not.toContain(CANARY);
    expect(log).not.toContain(CANARY);
  });

  test.each<[string, string, (seal: string) => Action]>([
    [
      'under another name',
      'seal',
      (seal) => ({
        id: 'p',
        verb: 'patch',
        target,
        patch: { type: 'json', operations: [{ op: 'add', path: '/status/phase', value: seal }] },
      }),
    ],
    [
      'in an object of another namespace',
      'object',
      (seal) => ({
        id: 'p',
        verb: 'patch',
        target: { ...target, namespace: 'other' },
        patch: { type: 'json', operations: [{ op: 'add', path: '/status/userData', value: seal }] },
      }),
    ],
    [
      'in an event',
      'object',
      (seal) => ({
        id: 'e',
        verb: 'event',
        type: 'Normal',
        reason: 'R',
        message: seal,
        regarding: { ...target, apiVersion: 'v1', name: 'other' },
      }),
    ],
  ])('a function that hands out a seal %s gets nothing', async (_name, rule, decide) => {
    const { h, log, sent } = await answering((shown) =>
      decide(shown.spec.volumes[0]?.cloudInitNoCloud?.userData ?? ''),
    );
    expect(sent).toBe('');
    expect(h.refusals.counts).toEqual([{ controller: 'vmi', rule, count: 1 }]);
    expect(log).toContain('action refused');
    expect(log).not.toContain(CANARY);
  });

  test('an action that is not allowed fails, is told, and ends the list', async () => {
    const h = new DeliveryHarness('a');
    const refused: Action = {
      id: 'no',
      verb: 'update',
      object: { ...vmi('a', 5), spec: { hostname: 'x' } } as KubeObject,
    };
    const after: Action = { id: 'after', verb: 'update', object: vmi('a', 5) };
    h.decide = () => (h.requests.length === 1 ? { outcome: { type: 'done' }, actions: [refused, after] } : done);
    h.delivery.start();
    await h.time.advance(1000);
    expect(h.kube.requests).toEqual([]);
    expect(h.itemsOf('ns/a')[1]?.results).toMatchObject([
      { id: 'no', status: 'failed', reason: 'NotAllowed' },
      { id: 'after', status: 'not-attempted' },
    ]);
  });
});
