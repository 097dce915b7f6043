/** Random sequences. */
import fc from 'fast-check';
import type { Obj } from '../json/value.ts';
import { kindOf, kinds, type Written } from './kinds.ts';
import type { Aim, Sequence, Step, Watching, Whose } from './steps.ts';

const names = fc.constantFrom('a', 'b');

const metadataChanges: readonly Obj[] = [
  { labels: { l: 'x' } },
  { labels: { l: 'z' } },
  { labels: null },
  { labels: {} },
  { annotations: { n: 'o' } },
  { finalizers: ['example.org/f'] },
  { finalizers: ['example.org/f', 'example.org/g'] },
  { finalizers: null },
  { finalizers: [] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'uid:configmaps/a' }] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: '', uid: 'x' }] },
  { generation: 7 },
  { creationTimestamp: '2020-01-01T00:00:00Z' },
  { creationTimestamp: null },
  { deletionTimestamp: '2020-01-01T00:00:00Z' },
  { selfLink: '/x' },
  { generateName: 'q-' },
  { namespace: 'other' },
  { name: 'c' },
  { labels: { 'bad key!': 'x' } },
  { odd: 'x' },
];

const commonJsonPatches: readonly Obj[][] = [
  [
    { op: 'test', path: '/metadata/name', value: 'a' },
    { op: 'add', path: '/metadata/labels', value: { l: 'x' } },
  ],
  [
    { op: 'test', path: '/metadata/labels/l', value: 'x' },
    { op: 'replace', path: '/metadata/labels/l', value: 'z' },
  ],
  [
    { op: 'test', path: '/metadata/labels', value: null },
    { op: 'add', path: '/metadata/labels', value: {} },
    { op: 'add', path: '/metadata/labels/m~1n', value: 'y' },
  ],
  [{ op: 'remove', path: '/metadata/finalizers' }],
  [{ op: 'add', path: '/metadata/finalizers/-', value: 'example.org/h' }],
  [{ op: 'remove', path: '/metadata/finalizers/0' }],
  [
    { op: 'test', path: '/metadata/finalizers', value: ['example.org/f'] },
    { op: 'replace', path: '/metadata/finalizers', value: [] },
  ],
  [{ op: 'replace', path: '/metadata/absent', value: 'x' }],
  [{ op: 'add', path: '/absent/deeper', value: 'x' }],
  [{ op: 'copy', from: '/metadata/name', path: '/metadata/generateName' }],
  [{ op: 'move', from: '/metadata/labels', path: '/metadata/annotations' }],
  [{ op: 'test', path: '/spec/absent' }],
  [{ op: 'test', path: '/spec/absent/deeper', value: null }],
  [{ op: 'replace', path: '/metadata/resourceVersion', value: '7' }],
  [{ op: 'remove', path: '/metadata/resourceVersion' }],
  [{ op: 'odd', path: '/metadata' }],
];

function aimOf(kind: Written): fc.Arbitrary<Aim> {
  return names.map((name) => ({ plural: kind.plural, name }));
}

const whose = (usual: Whose): fc.Arbitrary<Whose> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 4, arbitrary: fc.constantFrom<Whose[]>('current', 'old', 'none', 'bogus') },
  );

const part = (kind: Written): fc.Arbitrary<'' | 'status'> =>
  kind.hasStatus
    ? fc.constantFrom<('' | 'status')[]>('', 'status')
    : fc.oneof(
        { weight: 9, arbitrary: fc.constant('' as const) },
        { weight: 1, arbitrary: fc.constant('status' as const) },
      );

/** Mostly nothing unusual. */
const newMetadata: fc.Arbitrary<Obj> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Obj>({}) },
  { weight: 5, arbitrary: fc.constantFrom(...metadataChanges.filter((m) => !('name' in m))) },
);

function changesOf(kind: Written): fc.Arbitrary<Obj[]> {
  const one = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...kind.changes) },
    { weight: 2, arbitrary: fc.constantFrom(...metadataChanges).map((metadata): Obj => ({ metadata })) },
  );
  return fc.array(one, { minLength: 1, maxLength: 2 });
}

const policies = ['Background', 'Foreground', 'Orphan'];

const deleteOptions: fc.Arbitrary<{ options: Obj; query: string }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ options: {}, query: '' }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...policies)
      .map((propagationPolicy) => ({ options: { propagationPolicy } as Obj, query: '' })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(0, 5, 40, 100)
      .map((gracePeriodSeconds) => ({ options: { gracePeriodSeconds } as Obj, query: '' })),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { options: {}, query: '?gracePeriodSeconds=0' },
      { options: {}, query: '?propagationPolicy=Orphan' },
      { options: { gracePeriodSeconds: 3 } as Obj, query: '?gracePeriodSeconds=0&propagationPolicy=Foreground' },
      { options: { orphanDependents: true } as Obj, query: '' },
      { options: { propagationPolicy: 'Odd' } as Obj, query: '' },
      { options: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 1 } as Obj, query: '' },
    ),
  },
);

const listQueries = [
  '',
  '',
  '&labelSelector=l%3Dx',
  '&labelSelector=l',
  '&labelSelector=!l',
  '&labelSelector=l+in+(x,q),m!%3Dy',
  '&fieldSelector=metadata.name%3Da',
  '&fieldSelector=metadata.name!%3Da',
  '&labelSelector=l%3D%3D%3Dx',
  '&fieldSelector=spec.odd%3Dx',
];

function stepOn(kind: Written): fc.Arbitrary<Step> {
  const aim = aimOf(kind);
  const create = fc.record({
    step: fc.constant('create' as const),
    aim,
    generate: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    metadata: newMetadata,
    body: fc.oneof(
      { weight: 5, arbitrary: fc.constant(kind.bodies[0] ?? {}) },
      { weight: 4, arbitrary: fc.constantFrom(...kind.bodies) },
    ),
  });
  const put = fc.record({
    step: fc.constant('put' as const),
    aim,
    part: part(kind),
    changes: changesOf(kind),
    version: whose('current'),
    uid: whose('current'),
  });
  const patch = fc.record({
    step: fc.constant('patch' as const),
    aim,
    part: part(kind),
    type: fc.constantFrom<('merge' | 'strategic-merge')[]>('merge', 'merge', 'strategic-merge'),
    changes: changesOf(kind),
    version: whose('none'),
    uid: whose('none'),
  });
  const jsonPatch = fc.record({
    step: fc.constant('json-patch' as const),
    aim,
    part: part(kind),
    operations: fc.constantFrom(...commonJsonPatches),
  });
  const remove = fc
    .record({ aim, how: deleteOptions, version: whose('none'), uid: whose('none') })
    .map(({ aim: a, how, version, uid }): Step => ({ step: 'delete', aim: a, ...how, version, uid }));
  const list = fc.record({
    step: fc.constant('list' as const),
    plural: fc.constant(kind.plural),
    query: fc.constantFrom(...listQueries),
    limit: fc.constantFrom(0, 0, 1, 2),
  });
  const get = fc.record({ step: fc.constant('get' as const), aim, part: part(kind) });
  const steps: fc.WeightedArbitrary<Step>[] = [
    { weight: 6, arbitrary: create },
    { weight: 5, arbitrary: put },
    { weight: 6, arbitrary: patch },
    { weight: 3, arbitrary: jsonPatch },
    { weight: 4, arbitrary: remove },
    { weight: 1, arbitrary: get },
  ];
  if (kind.plural === 'pods')
    steps.push({
      weight: 3,
      arbitrary: fc.record({ step: fc.constant('bind' as const), aim, node: fc.constantFrom('n1', 'n2', '') }),
    });
  if (kind.namespaced)
    steps.push(
      { weight: 1, arbitrary: list },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom('', '?labelSelector=l%3Dx')
          .map((query): Step => ({ step: 'delete-all', plural: kind.plural, query })),
      },
    );
  return fc.oneof(...steps);
}

function watchesOf(kind: Written): fc.Arbitrary<Watching[]> {
  if (!kind.namespaced) return fc.constant([]);
  const one = fc.record({
    plural: fc.constant(kind.plural),
    query: fc.constantFrom('', '&labelSelector=l%3Dx', '&allowWatchBookmarks=true&resourceVersion=0'),
    when: fc.constant('before' as const),
  });
  const late = fc.record({
    plural: fc.constant(kind.plural),
    query: fc.constantFrom('', '&labelSelector=l%3Dx'),
    when: fc.constant('after' as const),
  });
  return fc.tuple(one, late).map((both) => [...both]);
}

/** Mostly of one kind, so that its objects meet. */
export const sequences: fc.Arbitrary<Sequence> = fc
  .tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds))
  .chain(([main, other]) =>
    fc.record({
      steps: fc.array(fc.oneof({ weight: 5, arbitrary: stepOn(main) }, { weight: 1, arbitrary: stepOn(other) }), {
        minLength: 4,
        maxLength: 14,
      }),
      watches: watchesOf(main),
    }),
  );

export function sequencesOf(plural: string): fc.Arbitrary<Sequence> {
  const kind = kindOf(plural);
  return fc.record({ steps: fc.array(stepOn(kind), { minLength: 4, maxLength: 14 }), watches: watchesOf(kind) });
}
