import { describe, expect, test } from 'vitest';
import type {
  ControllerRevision,
  KubeObject,
  VirtualMachineInstancetype,
  VirtualMachinePreference,
} from '../../../../functions/core/objects.ts';
import { withAppliedNames } from '../../../../functions/rules/instancetype/applied-annotations.ts';
import { findInstancetype, findPreference, type Sources } from '../../../../functions/rules/instancetype/find.ts';
import { newRevision } from '../../../../functions/rules/instancetype/new-revision.ts';
import type { Matched, Matcher, StatusRef } from '../../../../functions/rules/instancetype/side.ts';
import { syncedRef } from '../../../../functions/rules/instancetype/status-ref.ts';

const apiVersion = 'instancetype.kubevirt.io/v1beta1';
const owner: KubeObject = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm', namespace: 'ns', uid: 'vm-uid' },
};

function instancetype(kind: string, name: string, guest = 1, namespace = 'ns'): VirtualMachineInstancetype {
  const place = kind.includes('Cluster') ? {} : { namespace };
  const metadata = { name, uid: `uid-${name}`, generation: 3, labels: { a: 'b' }, annotations: { c: 'd' }, ...place };
  return { apiVersion, kind, metadata, spec: { cpu: { guest }, memory: { guest: '1024Mi' } } };
}
const preference = (name: string): VirtualMachinePreference => ({
  apiVersion,
  kind: 'VirtualMachineClusterPreference',
  metadata: { name },
  spec: {},
});

const sources: Sources = {
  instancetypes: [
    instancetype('VirtualMachineInstancetype', 'small', 1),
    instancetype('VirtualMachineInstancetype', 'small', 7, 'other'),
    instancetype('VirtualMachineClusterInstancetype', 'small', 2),
  ],
  preferences: [preference('linux')],
  revisions: [
    newRevision(owner, instancetype('VirtualMachineInstancetype', 'small', 4)),
    { ...newRevision(owner, preference('linux')), metadata: { name: 'of-preference' } },
  ],
};
const STORED = 'vm-small-v1beta1-uid-small-3';

function vm(matcher: Matcher, ref?: StatusRef): Matched {
  return { metadata: { namespace: 'ns' }, spec: { instancetype: matcher }, status: { instancetypeRef: ref } };
}

function guestOf(matcher: Matcher, ref?: StatusRef, from = sources): unknown {
  const found = findInstancetype(vm(matcher, ref), from);
  return found.type === 'found' ? found.object.spec.cpu.guest : found;
}

function revisionHolding(data: ControllerRevision['data']): ControllerRevision {
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'r' }, revision: 0, data };
}

describe('finding an instance type (vm.md 10.3)', () => {
  test.each([
    ['virtualmachineinstancetype', 1],
    ['VirtualMachineInstancetypes', 1],
    ['virtualmachineclusterinstancetype', 2],
    ['VIRTUALMACHINECLUSTERINSTANCETYPES', 2],
    ['', 2],
    [undefined, 2],
  ])('kind %j', (kind, guest) => {
    expect(guestOf({ name: 'small', ...(kind === undefined ? {} : { kind }) })).toBe(guest);
  });

  test('a revision of the spec comes first, one of the status second', () => {
    const ref = { controllerRevisionRef: { name: STORED } };
    expect(guestOf({ name: 'small', revisionName: STORED })).toBe(4);
    expect(guestOf({ name: 'small' }, ref)).toBe(4);
    expect(guestOf({ name: 'small', revisionName: 'absent' }, ref)).toMatchObject({ type: 'error' });
  });

  test('a revision of the status counts for its own object only', () => {
    const ref = { controllerRevisionRef: { name: STORED } };
    expect(guestOf({ name: 'other' }, ref)).toMatchObject({
      type: 'error',
      message: 'VirtualMachineClusterInstancetype other not found',
    });
    const renamed = { ...sources, instancetypes: [instancetype('VirtualMachineClusterInstancetype', 'other', 9)] };
    expect(guestOf({ name: 'other' }, ref, renamed)).toBe(9);
  });

  test.each<[string, Matcher, StatusRef | undefined, string]>([
    ['no such kind', { name: 'small', kind: 'foobar' }, undefined, 'foobar is no kind of instancetype'],
    ['no object', { name: 'absent' }, undefined, 'VirtualMachineClusterInstancetype absent not found'],
    ['no name', { kind: 'virtualmachineinstancetype' }, undefined, 'VirtualMachineInstancetype  not found'],
    ['no revision of the status', { name: 'small' }, { controllerRevisionRef: { name: 'x' } }, 'revision x not found'],
    [
      'a revision of something else',
      { name: 'small', revisionName: 'of-preference' },
      undefined,
      'revision of-preference holds a VirtualMachineClusterPreference, which is no instancetype',
    ],
  ])('%s: an error', (_, matcher, ref, message) => {
    expect(guestOf(matcher, ref)).toEqual({ type: 'error', message });
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'no instancetype'],
    [
      'an older version',
      { apiVersion: 'instancetype.kubevirt.io/v1alpha2' },
      'an object of instancetype.kubevirt.io/v1alpha2',
    ],
    ['no name', { apiVersion, kind: 'VirtualMachineInstancetype', metadata: {} }, 'an object without name'],
    [
      'CPUs of another type',
      { apiVersion, kind: 'VirtualMachineInstancetype', metadata: { name: 'a' }, spec: { cpu: 4, memory: {} } },
      'an object of which spec.cpu is not an object',
    ],
  ])('a revision that holds %s: an error', (_, data, what) => {
    const revision = revisionHolding(data);
    const message = `revision r holds ${what}`;
    expect(guestOf({ revisionName: 'r' }, undefined, { ...sources, revisions: [revision] })).toEqual({
      type: 'error',
      message,
    });
  });

  test('what the type holds by value is there, given or not', () => {
    const data = { apiVersion, kind: 'VirtualMachineInstancetype', metadata: { name: 'a' } };
    const revision = revisionHolding(data);
    const found = findInstancetype(vm({ revisionName: 'r' }), { ...sources, revisions: [revision] });
    expect(found).toMatchObject({ type: 'found', object: { spec: { cpu: { guest: 0 }, memory: { guest: '0' } } } });
  });

  test('no matcher, nothing to find; null is none', () => {
    const bare = { metadata: {}, spec: { instancetype: null } } as unknown as Matched;
    expect(findInstancetype(bare, sources)).toEqual({ type: 'none' });
    expect(findPreference(bare, sources)).toEqual({ type: 'none' });
  });
});

describe('the status reference (vm.md 10.2)', () => {
  const stored: StatusRef = { name: 'a', kind: 'k', controllerRevisionRef: { name: 'r' } };
  test.each<[string, Matcher, StatusRef | undefined, StatusRef]>([
    ['is made', { name: 'a', kind: 'k' }, undefined, { name: 'a', kind: 'k' }],
    ['stays', { name: 'a', kind: 'k' }, stored, stored],
    ['loses its revision with its name', { name: 'b' }, stored, { name: 'b', kind: 'k' }],
    ['loses its revision with its kind', { kind: 'l' }, stored, { name: 'a', kind: 'l' }],
    [
      'loses its revision with its inference',
      { inferFromVolume: 'v' },
      stored,
      { name: 'a', kind: 'k', inferFromVolume: 'v' },
    ],
    [
      'keeps its revision with another failure policy',
      { inferFromVolumeFailurePolicy: 'Ignore' },
      stored,
      { ...stored, inferFromVolumeFailurePolicy: 'Ignore' },
    ],
    [
      'has the revision of the spec',
      { name: 'b', revisionName: 's' },
      stored,
      { name: 'b', kind: 'k', controllerRevisionRef: { name: 's' } },
    ],
    ['keeps what the matcher leaves open', { name: '', kind: '' }, stored, stored],
  ])('%s', (_, matcher, old, expected) => {
    expect(syncedRef(matcher, old)).toEqual(expected);
  });
});

test('a revision keeps the object without what others have hung on it (vm.md 10.2)', () => {
  const object = instancetype('VirtualMachineInstancetype', 'small');
  expect(newRevision(owner, object)).toEqual({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: STORED,
      namespace: 'ns',
      labels: {
        'instancetype.kubevirt.io/object-generation': '3',
        'instancetype.kubevirt.io/object-kind': 'VirtualMachineInstancetype',
        'instancetype.kubevirt.io/object-name': 'small',
        'instancetype.kubevirt.io/object-uid': 'uid-small',
        'instancetype.kubevirt.io/object-version': 'v1beta1',
      },
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachine',
          name: 'vm',
          uid: 'vm-uid',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    data: {
      apiVersion,
      kind: 'VirtualMachineInstancetype',
      metadata: { name: 'small', namespace: 'ns', uid: 'uid-small', generation: 3 },
      spec: { cpu: { guest: 1 }, memory: { guest: '1Gi' } },
    },
    revision: 0,
  });
});

test('annotations of a VMI say what was applied, by kind; they overwrite (vm.md 10.6)', () => {
  const target = {
    metadata: { annotations: { 'kubevirt.io/instancetype-name': 'x' } },
    spec: { domain: { devices: {} } },
  };
  const spec = {
    instancetype: { name: 'a', kind: 'virtualmachineinstancetype' },
    preference: { name: 'b' },
  };
  expect(withAppliedNames(target, { spec }).metadata.annotations).toEqual({
    'kubevirt.io/instancetype-name': 'a',
    'kubevirt.io/cluster-preference-name': 'b',
  });
  expect(withAppliedNames(target, { spec: {} })).toBe(target);
});
