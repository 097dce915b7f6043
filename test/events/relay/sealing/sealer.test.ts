import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Sealer } from '../../../../events/relay/sealing/sealer.ts';
import { unsealed } from '../../../../events/relay/sealing/unseal.ts';
import type { Action, PatchAction } from '../../../../functions/core/action.ts';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import { SEALING_KEY } from '../support/gatekeepers.ts';

const SEAL = /^sealed:[\w-]{43}$/;
const CANARY = 'canary-5f1d';
const sealer = new Sealer(SEALING_KEY);

type Any = KubeObject & Record<string, unknown>;

function object(rest: Record<string, unknown>, namespace: string | undefined = 'ns'): Any {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'v', ...(namespace === undefined ? {} : { namespace }), uid: 'u', resourceVersion: '1' },
    ...rest,
  };
}

/** Puts back what was sealed in one object. */
function put<A extends Action>(action: A, ...from: KubeObject[]): A {
  const contents = from.flatMap((o) => sealer.contentsOf(sealer.seal(o)));
  return unsealed(action, (seal) => contents.filter((c) => c.sealed === seal));
}

const update = (o: KubeObject): Action & { verb: 'update' } => ({ id: 'u', verb: 'update', object: o });
const patch = (path: string, value: unknown, namespace = 'ns'): PatchAction => ({
  id: 'p',
  verb: 'patch',
  target: { kind: 'VirtualMachine', namespace, name: 'v' },
  patch: { type: 'json', operations: [{ op: 'test', path, value }] },
});

/** Any JSON, in which the members of cloud-init, texts about them and texts that look sealed are not rare. */
const member = fc.oneof(
  fc.constantFrom('userData', 'userDataBase64', 'networkData', 'networkDataBase64', '__proto__', 'a/b'),
  fc.string({ maxLength: 8 }),
);
const text = fc.oneof(
  fc.constantFrom('', '{"userData":"x"}', 'networkDataBase64: |\n x', `sealed:${'a'.repeat(43)}`, 'sealed:'),
  fc.string(),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, text, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.array(fc.tuple(member, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
})).record as fc.Arbitrary<Record<string, unknown>>;

describe('what is sealed', () => {
  test.each(['userData', 'userDataBase64', 'networkData', 'networkDataBase64'])('%s, at any depth', (name) => {
    const o = object({ spec: { template: { spec: { volumes: [{ cloudInitNoCloud: { [name]: CANARY } }] } } } });
    const sealed = JSON.stringify(sealer.seal(o));
    expect(sealed).not.toContain(CANARY);
    expect(sealed).toMatch(new RegExp(`"${name}":"sealed:[\\w-]{43}"`));
  });

  test.each([
    ['JSON', JSON.stringify({ spec: { userData: CANARY } })],
    ['JSON with spaces', JSON.stringify({ spec: { networkData: CANARY } }, undefined, 2)],
    ['JSON in JSON', JSON.stringify({ a: JSON.stringify({ userDataBase64: CANARY }) })],
    ['JSON in JSON in JSON', JSON.stringify([JSON.stringify([JSON.stringify({ userData: CANARY })])])],
    ['YAML', `spec:\n  userData: |\n    ${CANARY}\n`],
  ])('a text that holds such a member: %s', (_name, value) => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': value };
    const o = object({ metadata: { ...object({}).metadata, annotations } });
    const sealed = sealer.seal(o);
    expect(Object.values(sealed.metadata.annotations ?? {})[0]).toMatch(SEAL);
    expect(put(update(sealed), o).object).toEqual(o);
  });

  test('an object without secrets stays the same object, and what does not change is shared', () => {
    const plain = object({ spec: { userData: '', other: 'text', secretRef: { name: 'userData' } } });
    expect(sealer.seal(plain)).toBe(plain);
    const o = object({ spec: { volumes: [{ userData: 'x' }], domain: {} } });
    expect((sealer.seal(o) as Any)['metadata']).toBe(o.metadata);
  });

  test('equal values have equal seals, under one key, of one member, in one namespace only', () => {
    const sealOf = (name: string, value: string, namespace: string, key = SEALING_KEY) =>
      (new Sealer(key).seal(object({ [name]: value }, namespace)) as Any)[name];
    const seal = sealOf('userData', 'x', 'ns');
    expect(sealOf('userData', 'x', 'ns')).toBe(seal);
    const others = [
      sealOf('userData', 'y', 'ns'),
      sealOf('networkData', 'x', 'ns'),
      sealOf('userData', 'x', 'other'),
      sealOf('userData', 'x', 'ns', 'another key, as long as the first one was'),
    ];
    expect(new Set([seal, ...others]).size).toBe(5);
  });
});

describe('what comes back', () => {
  test('sealing and putting back is identity, and what was sealed is nowhere in between', () => {
    fc.assert(
      fc.property(json, (spec) => {
        const o = object({ spec });
        const sealed = sealer.seal(o);
        expect(put(update(sealed), o).object).toEqual(o);
        for (const { text: secret, sealed: seal } of sealer.contentsOf(sealed)) {
          expect(seal).toMatch(SEAL);
          if (secret.length > 12) expect(JSON.stringify(sealed)).not.toContain(JSON.stringify(secret).slice(1, -1));
        }
        expect(put({ ...patch('/spec', (sealed as Any)['spec']) }, o).patch).toEqual(patch('/spec', spec).patch);
      }),
    );
  });

  const o = object({ spec: { volumes: [{ userData: CANARY }], note: 'networkData: x' } });
  const { spec } = sealer.seal(o) as Any & { spec: { volumes: { userData: string }[]; note: string } };
  const seal = spec.volumes[0]?.userData ?? '';

  test('values and tests of JSON patches: at the member, above it, in a list', () => {
    for (const [path, value, wanted] of [
      ['/spec/volumes/0/userData', seal, CANARY],
      ['/spec/volumes/0', { userData: seal }, { userData: CANARY }],
      ['/spec', spec, o['spec']],
      ['/spec/note', spec.note, 'networkData: x'],
    ] as const) {
      expect(put(patch(path, value), o).patch).toEqual(patch(path, wanted).patch);
    }
  });

  test('merge and strategic patches', () => {
    for (const type of ['merge', 'strategic'] as const) {
      const action: Action = { ...patch('', 0), patch: { type, body: { spec }, uid: 'u', resourceVersion: '1' } };
      expect(JSON.stringify(put(action, o))).toContain(CANARY);
    }
  });

  test.each<[string, Action]>([
    ['under another name', update(object({ spec: { networkData: seal } }))],
    ['under another name, by a pointer', patch('/metadata/annotations/a', seal)],
    ['in another namespace', update(object({ spec: { userData: seal } }, 'other'))],
    ['in an object of the whole cluster', update({ ...object({ spec: { userData: seal } }), metadata: { name: 'v' } })],
    ['in a patch of another namespace', patch('/spec/volumes/0/userData', seal, 'other')],
    ['a seal that nobody made', update(object({ spec: { userData: `sealed:${'a'.repeat(43)}` } }))],
    ['a planted text', update(object({ spec: { userData: 'mine' } }))],
    ['a guess', patch('/spec/volumes/0/userData', CANARY)],
    ['a guess further up', patch('/spec/volumes', [{ userData: CANARY }])],
  ])('nothing, for a seal or a text %s', (_name, action) => {
    expect(() => put(action, o)).toThrow('that');
  });

  test('part of a longer text is left as it is', () => {
    const action = update(object({ spec: { note: `it says ${seal}` } }));
    expect(put(action, o)).toEqual(action);
  });
});
