import { describe, expect, test } from 'vitest';
import { AllowList } from '../../../../events/relay/allow-list/allow-list.ts';
import { KnownObjects } from '../../../../events/relay/allow-list/known-objects.ts';
import type { Action, EventAction, PatchBody } from '../../../../functions/core/action.ts';
import { anyController } from '../../../../functions/core/controller.ts';
import {
  ControllerRevision,
  SubjectAccessReview,
  VirtualMachine,
  VirtualMachineInstance,
} from '../../../../functions/core/kinds.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../../../functions/core/objects.ts';
import { defineWrites } from '../../../../functions/core/writes.ts';
import { writtenForm } from '../../../../functions/core/written-form/written-form.ts';
import { vm } from '../../../../functions/vm/reads.ts';
import { vmi } from '../../../../functions/vmi/reads.ts';
import { vmiWrites } from '../../../../functions/vmi/writes.ts';
import { clusterConfiguration } from '../../../functions/launcher-pod/fixture.ts';

type Any = KubeObject & Record<string, unknown>;

const configuration = clusterConfiguration();
/** A list of the test's own, for a controller that reads what that of VMs does: narrow, and with one of each kind of rule. */
const writes = defineWrites('vm', [
  {
    kind: VirtualMachine,
    verbs: ['update', 'patch'],
    fields: [
      '/metadata/annotations/kubevirt.io~1latest-observed-api-version',
      '/metadata/finalizers',
      '/spec/running',
      '/spec/template/spec/domain/firmware/uuid',
    ],
  },
  { kind: VirtualMachine, subresource: 'status', verbs: ['update', 'patch'], fields: ['/status'] },
  { kind: VirtualMachineInstance, verbs: ['create', 'patch', 'delete'], fields: ['/metadata/ownerReferences'] },
  { kind: VirtualMachineInstance, subresource: 'addvolume', verbs: ['update'] },
  { kind: ControllerRevision, verbs: ['create', 'delete'] },
  { kind: SubjectAccessReview, verbs: ['create'] },
]);
const ofVm = new AllowList(anyController(vm), writes);
const ofVmi = new AllowList(anyController(vmi), vmiWrites);

function object(
  kind: string,
  name: string,
  rest: Record<string, unknown> = {},
  metadata: Partial<ObjectMeta> = {},
): Any {
  return {
    apiVersion: kind === 'Pod' ? 'v1' : 'kubevirt.io/v1',
    kind,
    metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: '5', ...metadata },
    ...rest,
  };
}

const owner = (uid: string, kind = 'VirtualMachine'): OwnerReference => ({
  apiVersion: 'kubevirt.io/v1',
  kind,
  name: 'v',
  uid,
  controller: true,
});

/** As a user writes it: not in the written form. */
const machine = object(
  'VirtualMachine',
  'v',
  {
    spec: {
      running: true,
      unknown: { a: 1 },
      template: {
        metadata: { labels: {} },
        spec: {
          domain: {
            cpu: { cores: 0 },
            devices: { disks: [], filesystems: [{ name: 'd', virtiofs: {} }] },
            memory: { guest: '1024Mi' },
          },
          terminationGracePeriodSeconds: 0,
          volumes: [{ name: 'd', containerDisk: { image: 'registry.example/disk' } }],
        },
      },
    },
    status: { created: true },
  },
  { annotations: { mine: 'yes' }, finalizers: ['theirs'] },
);
const instance = object('VirtualMachineInstance', 'i', { spec: {} }, { ownerReferences: [owner('uid-v')] });
const known = () => new KnownObjects({ primary: machine, reads: { instance, claims: [] } });

/** The rule that the VM controller's action breaks; none. */
function broken(action: Action, at = known()): string | undefined {
  const verdict = ofVm.judge(action, at, configuration);
  return verdict.type === 'refused' ? verdict.rule : undefined;
}

const put = (changed: Record<string, unknown>, metadata: Record<string, unknown> = {}): Action => ({
  id: 'u',
  verb: 'update',
  object: writtenForm({ ...machine, ...changed, metadata: { ...machine.metadata, ...metadata } }),
});
const spec = machine['spec'] as Record<string, unknown> & { template: { spec: Record<string, unknown> } };
const withFilesystems = (filesystems: object[]): Action => {
  const domain = { ...(spec.template.spec['domain'] as object), devices: { disks: [], filesystems } };
  return put({ spec: { ...spec, template: { spec: { ...spec.template.spec, domain } } } });
};
const target = { kind: 'VirtualMachine', namespace: 'ns', name: 'v' };
const patch = (body: PatchBody, at = target): Action => ({ id: 'p', verb: 'patch', target: at, patch: body });
const jsonPatch = (path: string, value: unknown, at = target, op: 'add' | 'replace' | 'remove' | 'test' = 'replace') =>
  patch({ type: 'json', operations: [{ op, path, value }] }, at);

describe('PUT', () => {
  test('re-spelling by the written form is no change', () => {
    const action = put({}) as Action & { verb: 'update' };
    expect(action.object).not.toEqual(machine);
    expect(broken(action)).toBeUndefined();
  });

  test('listed fields may change, one key of a map among them', () => {
    expect(broken(put({ spec: { ...spec, running: false } }))).toBeUndefined();
    const annotations = { mine: 'yes', 'kubevirt.io/latest-observed-api-version': 'v1' };
    expect(broken(put({}, { annotations }))).toBeUndefined();
    expect(broken(put({}, { finalizers: undefined }))).toBeUndefined();
  });

  test.each<[string, Action]>([
    ['a field that is not listed', put({ spec: { ...spec, updateVolumesStrategy: 'Migration' } })],
    ['a key that is not listed', put({}, { annotations: { mine: 'no' } })],
    ['a key less', put({}, { annotations: {} })],
    ['a label', put({}, { labels: { a: 'b' } })],
    ['an owner', put({}, { ownerReferences: [owner('uid-x')] })],
    ['an element of a list', withFilesystems([{ name: 'other', virtiofs: {} }])],
    ['a member of a list less', withFilesystems([])],
  ])('%s may not', (_name, action) => {
    expect(broken(action)).toBe('field');
  });

  test('members that the table of types does not have stay as they were, go, or are refused', () => {
    const bare = put({}) as Action & { verb: 'update' };
    const withUnknown = (unknown: unknown): Action => ({
      ...bare,
      object: { ...bare.object, spec: { ...((bare.object as Any)['spec'] as object), unknown } } as KubeObject,
    });
    expect(broken(withUnknown({ a: 1 }))).toBeUndefined();
    expect(broken(withUnknown({ a: 2 }))).toBe('field');
  });

  test('status beside it has no effect where it is a subresource, and counts where it is not', () => {
    expect(broken(put({ status: { created: false } }))).toBeUndefined();
    const rules = [{ kind: vmi.primary, verbs: ['update'], fields: ['/metadata/labels'] }] as const;
    const list = new AllowList(anyController(vmi), { controller: 'vmi', rules });
    const changed: KubeObject & { status: object } = { ...instance, status: { phase: 'Failed' } };
    const verdict = list.judge({ id: 'u', verb: 'update', object: changed }, known(), configuration);
    expect(verdict).toMatchObject({ rule: 'field', message: '/status/phase of VirtualMachineInstance ns/i' });
  });

  test('another uid or version than the one that the function was shown', () => {
    expect(broken(put({}, { uid: 'other' }))).toBe('object');
    expect(broken(put({}, { resourceVersion: '6' }))).toBe('object');
    expect(broken(put({}, { resourceVersion: undefined }))).toBe('object');
  });

  test('a PUT of the status changes the status alone', () => {
    const object = { ...machine, status: { created: false }, spec: { running: false } } as Any;
    expect(broken({ id: 's', verb: 'updateStatus', object })).toBeUndefined();
  });
});

describe('patches', () => {
  const uuid = '/spec/template/spec/domain/firmware';
  const filesystem = '/spec/template/spec/domain/devices/filesystems/0';

  test('a map that is replaced whole counts by the keys that change', () => {
    const annotate = (annotations: object) => broken(jsonPatch('/metadata/annotations', annotations));
    expect(annotate({ mine: 'yes', 'kubevirt.io/latest-observed-api-version': 'v1' })).toBeUndefined();
    expect(annotate({ mine: 'yes', other: '2' })).toBe('field');
    expect(annotate({})).toBe('field');
  });

  test('above, at and below a field', () => {
    expect(broken(jsonPatch(uuid, { uuid: 'x' }, target, 'add'))).toBeUndefined();
    expect(broken(jsonPatch(`${uuid}/uuid`, 'x', target, 'add'))).toBeUndefined();
    expect(broken(jsonPatch(uuid, { uuid: 'x', serial: 'y' }, target, 'add'))).toBe('field');
    expect(broken(jsonPatch('/metadata/finalizers/0', 'mine'))).toBeUndefined();
    expect(broken(jsonPatch('/metadata/finalizers/-', 'mine', target, 'add'))).toBeUndefined();
    expect(broken(jsonPatch('/metadata/finalizers', undefined, target, 'remove'))).toBeUndefined();
    expect(broken(jsonPatch('/metadata', { name: 'v' }))).toBe('field');
    expect(broken(jsonPatch('', {}))).toBe('field');
    expect(broken(jsonPatch(`${filesystem}/name`, 'x'))).toBe('field');
    expect(broken(jsonPatch(filesystem, undefined, target, 'remove'))).toBe('field');
  });

  test('tests change nothing', () => {
    expect(broken(jsonPatch('/spec', {}, target, 'test'))).toBeUndefined();
  });

  test('merge patches count by what they name, changed or not', () => {
    const merge = (body: Record<string, unknown>, uid = 'uid-v') =>
      patch({ type: 'merge', body, uid, resourceVersion: '5' });
    expect(broken(merge({ metadata: { finalizers: null } }))).toBeUndefined();
    expect(broken(merge({ metadata: { finalizers: null }, spec: { running: null } }))).toBeUndefined();
    expect(broken(merge({ metadata: { annotations: { mine: 'yes' } } }))).toBe('field');
    expect(broken(merge({ spec: null }))).toBe('field');
    expect(broken(merge({}))).toBe('field');
    expect(broken(merge({ metadata: { finalizers: [] } }, 'other'))).toBe('object');
  });

  test('strategic merge patches: directives count as what they are about', () => {
    const pod = object('Pod', 'p', { spec: { containers: [] } });
    const at = new KnownObjects({ primary: instance, reads: { pods: [pod] } });
    const judge = (body: Record<string, unknown>) =>
      ofVmi.judge(
        {
          ...patch({ type: 'strategic', body }, { kind: 'Pod', namespace: 'ns', name: 'p' }),
          subresource: 'status',
        } as Action,
        at,
        configuration,
      ).type;
    expect(judge({ status: { '$setElementOrder/conditions': [], conditions: [] } })).toBe('allowed');
    expect(judge({ status: { conditions: [], phase: 'Failed' } })).toBe('refused');
    expect(judge({ status: { '$setElementOrder/podIPs': [] } })).toBe('refused');
    expect(judge({ status: { $patch: 'replace', conditions: [] } })).toBe('refused');
    expect(judge({ $patch: 'delete' })).toBe('refused');
  });

  test('of a subresource and of the rest are not exchanged', () => {
    expect(broken({ ...jsonPatch('/status/created', false), subresource: 'status' } as Action)).toBeUndefined();
    expect(broken({ ...jsonPatch('/spec/running', false), subresource: 'status' } as Action)).toBe('field');
  });
});

describe('objects', () => {
  const remove = (name: string, uid: string, kind = 'VirtualMachineInstance'): Action => ({
    id: 'd',
    verb: 'delete',
    target: { kind, namespace: 'ns', name },
    uid,
    resourceVersion: '5',
  });

  test('only those of the snapshot are touched', () => {
    expect(broken(remove('i', 'uid-i'))).toBeUndefined();
    expect(broken(remove('other', 'uid-i'))).toBe('object');
    expect(broken(remove('i', 'uid-other'))).toBe('object');
    expect(broken(jsonPatch('/metadata/finalizers', [], { ...target, namespace: 'other' }))).toBe('object');
  });

  test('only by verbs, of kinds and subresources that the controller lists', () => {
    expect(broken(remove('v', 'uid-v', 'VirtualMachine'))).toBe('verb');
    expect(broken(remove('p', 'uid-p', 'Pod'))).toBe('verb');
    expect(broken(remove('s', 'uid-s', 'Secret'))).toBe('verb');
    expect(broken({ id: 'u', verb: 'update', object: instance })).toBe('verb');
    expect(broken({ id: 's', verb: 'updateStatus', object: instance })).toBe('verb');
    const nothing = new AllowList(anyController(vm), undefined);
    expect(nothing.judge(remove('i', 'uid-i'), known(), configuration)).toMatchObject({ rule: 'verb' });
  });

  const create = (owners: OwnerReference[], metadata: Partial<ObjectMeta> = {}): Action => ({
    id: 'c',
    verb: 'create',
    object: object('ControllerRevision', 'r', {}, { uid: undefined, ownerReferences: owners, ...metadata }),
  });

  test('new ones have owners of the snapshot, and live where these do', () => {
    expect(broken(create([owner('uid-v')]))).toBeUndefined();
    expect(broken(create([]))).toBe('owner');
    expect(broken(create([owner('uid-x')]))).toBe('owner');
    expect(broken(create([owner('uid-v'), owner('uid-x')]))).toBe('owner');
    expect(broken(create([owner('uid-v')], { namespace: 'other' }))).toBe('owner');
  });

  test('or an owner that an object of the snapshot names', () => {
    const at = () => new KnownObjects({ primary: null, reads: { instance } });
    expect(broken(create([owner('uid-v')]), at())).toBeUndefined();
    expect(broken(create([owner('uid-v')], { namespace: 'other' }), at())).toBe('owner');
  });

  test('calls only of what the controller lists', () => {
    const call = (name: 'addvolume' | 'removevolume'): Action => ({
      id: 'c',
      verb: 'subresource',
      target: { kind: 'VirtualMachineInstance', namespace: 'ns', name: 'i' },
      call: name,
      body: {},
    });
    expect(broken(call('addvolume'))).toBeUndefined();
    expect(broken({ ...call('addvolume'), target: { ...target, kind: 'VirtualMachineInstance' } } as Action)).toBe(
      'object',
    );
    expect(ofVmi.judge(call('addvolume'), known(), configuration)).toMatchObject({ rule: 'verb' });
  });

  test('rights of others are asked only where the controller says that it asks', () => {
    const asking = (controller: AllowList) => {
      const preconditions = [{ type: 'access-allowed', user: 'u', groups: [], anyOf: [] }] as const;
      return controller.judge({ ...create([owner('uid-v')]), preconditions }, known(), configuration);
    };
    expect(asking(ofVm)).toEqual({ type: 'allowed' });
    expect(asking(ofVmi)).toMatchObject({ rule: 'precondition' });
  });

  test('preconditions are about kinds that the controller reads', () => {
    const about = (kind: string): Action => ({
      ...create([owner('uid-v')]),
      preconditions: [{ type: 'absent-name', kind, namespace: 'ns', name: 'x' }],
    });
    expect(broken(about('VirtualMachineInstance'))).toBeUndefined();
    expect(broken(about('Node'))).toBe('precondition');
  });

  test('events are about objects of the snapshot', () => {
    const event = (name: string, uid?: string): EventAction => ({
      id: 'e',
      verb: 'event',
      type: 'Normal',
      reason: 'R',
      message: '',
      regarding: { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', namespace: 'ns', name, uid },
    });
    expect(broken(event('v', 'uid-v'))).toBeUndefined();
    expect(broken(event('v'))).toBeUndefined();
    expect(broken(event('v', 'uid-other'))).toBe('object');
    expect(broken(event('other'))).toBe('object');
  });
});
