import { describe, expect, test } from 'vitest';
import { ControllerRevision, VirtualMachineInstancetype } from '../../../functions/core/kinds.ts';
import type * as objects from '../../../functions/core/objects.ts';
import { testEachDisturbance } from '../model/disturbances.ts';
import type { Disturbance } from '../model/driver.ts';
import { FINALIZER, NAME, NAMESPACE, observed, templateSpec, templateWithoutUuid, World } from './world.ts';

const apiVersion = 'instancetype.kubevirt.io/v1beta1';
const matched = {
  instancetype: { name: 'small', kind: 'virtualmachineinstancetype' },
  preference: { name: 'linux' },
};
type InstancetypeSpec = objects.VirtualMachineInstancetype['spec'];

/** A template that leaves CPU and memory to the instance type. */
function template(extra: object = {}): objects.VirtualMachineInstance['spec'] {
  const { domain, ...spec } = templateSpec();
  const { resources: _, ...rest } = domain;
  return { ...spec, domain: { ...rest, ...extra } };
}

function addInstancetype(world: World, spec: Partial<InstancetypeSpec> = {}, name = 'small'): void {
  world.cluster.create<objects.VirtualMachineInstancetype>({
    apiVersion,
    kind: 'VirtualMachineInstancetype',
    metadata: { name, namespace: NAMESPACE, labels: { vendor: 'x' } },
    spec: { cpu: { guest: 2 }, memory: { guest: '256Mi' }, ...spec },
  });
}

function addPreference(world: World, spec: objects.VirtualMachinePreference['spec'] = {}): void {
  world.cluster.create<objects.VirtualMachinePreference>({
    apiVersion,
    kind: 'VirtualMachineClusterPreference',
    metadata: { name: 'linux' },
    spec: { cpu: { preferredCPUTopology: 'cores' }, devices: { preferredDiskBus: 'sata' }, ...spec },
  });
}

function worldWith(fields: Parameters<typeof World.withVm>[0] = {}, spec = template()): World {
  return World.withVm({ runStrategy: 'Always', ...matched, ...fields }, spec);
}

/** A VM of an instance type and a preference that are there. */
function typed(fields: Parameters<typeof World.withVm>[0] = {}, spec = template()): World {
  const world = worldWith(fields, spec);
  addInstancetype(world);
  addPreference(world);
  return world;
}

function kept(world: World): readonly string[] {
  return world.revisions.map((r) => r.metadata.name).filter((name) => !name.startsWith('revision-start-vm-'));
}

function startSpec(world: World): objects.VirtualMachine['spec'] {
  const revision = world.revisions.find((r) => r.metadata.name.startsWith('revision-start-vm-'));
  if (revision === undefined) throw new Error('there is no start revision');
  return (revision.data as { spec: objects.VirtualMachine['spec'] }).spec;
}

describe('finding (vm.md 10.1)', () => {
  test.each([
    ['an unknown kind', { instancetype: { name: 'small', kind: 'foobar' } }, 'FailedFindInstancetype'],
    ['an object that is not there', { instancetype: { name: 'absent' } }, 'FailedFindInstancetype'],
    ['a revision that is not there', { instancetype: { revisionName: 'absent' } }, 'FailedFindInstancetype'],
    ['a preference that is not there', { preference: { name: 'absent' } }, 'FailedFindPreference'],
    ['an unknown kind of preference', { preference: { name: 'linux', kind: 'foobar' } }, 'FailedFindPreference'],
  ])('vm case 109: %s: no event', (_, fields, reason) => {
    const world = typed(fields);
    world.pass();
    expect(world.settle()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.condition('Failure')).toMatchObject({ status: 'True', reason });
    expect(world.eventReasons).toEqual([]);
    expect(world.maybeInstance).toBeUndefined();
  });

  test('vm case 129: the object is missing: no reference, no firmware UUID; annotations and finalizer are there', () => {
    const world = World.withNewVm({ runStrategy: 'Always', ...matched }, templateWithoutUuid());
    addPreference(world);
    expect(world.settle()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.pass().actions).toEqual([]);
    expect(world.vm.metadata).toMatchObject({ annotations: observed, finalizers: [FINALIZER] });
    expect(world.status).not.toHaveProperty('instancetypeRef');
    expect(world.vm.spec.template.spec?.domain).not.toHaveProperty('firmware');
    expect(world.eventReasons).toEqual([]);
  });

  test('the object comes: the VM is started', () => {
    const world = worldWith();
    world.settle();
    addPreference(world);
    addInstancetype(world);
    world.settle();
    expect(world.instance.spec.domain.cpu).toMatchObject({ cores: 2 });
    expect(world.condition('Failure')).toBeUndefined();
  });
});

describe('storing (vm.md 10.2)', () => {
  test('vm case 110: revisions, references and the start in one pass; the VM revision names the revisions', () => {
    const world = typed();
    expect(world.pass().type).toBe('done');
    const [instancetype, preference] = kept(world);
    expect(instancetype).toMatch(new RegExp(`^${NAME}-small-v1beta1-.*-1$`));
    expect(world.status).toMatchObject({
      instancetypeRef: { ...matched.instancetype, controllerRevisionRef: { name: instancetype } },
      preferenceRef: { ...matched.preference, controllerRevisionRef: { name: preference } },
    });
    expect(startSpec(world)).toMatchObject({
      instancetype: { ...matched.instancetype, revisionName: instancetype },
      preference: { ...matched.preference, revisionName: preference },
    });
    expect(world.vm.spec.instancetype).toEqual(matched.instancetype);
    expect(world.instance).toMatchObject({
      metadata: {
        annotations: { 'kubevirt.io/instancetype-name': 'small', 'kubevirt.io/cluster-preference-name': 'linux' },
      },
      spec: { domain: { cpu: { cores: 2, sockets: 1, threads: 1 }, memory: { guest: '256Mi' } } },
    });
    expect(world.eventReasons).toEqual(['SuccessfulCreate']);
  });

  test('vm case 111: a revision of the name with other data: event and Failure', () => {
    const world = typed();
    const uid = world.cluster.get(VirtualMachineInstancetype, 'small', NAMESPACE)?.metadata.uid;
    const name = `${NAME}-small-v1beta1-${uid}-1`;
    const data = (guest: number) => ({
      apiVersion,
      kind: 'VirtualMachineInstancetype',
      metadata: { name: 'small' },
      spec: { cpu: { guest }, memory: { guest: '0.25Gi' } },
    });
    world.cluster.create<objects.ControllerRevision>({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name, namespace: NAMESPACE, labels: { 'instancetype.kubevirt.io/object-version': 'v1beta1' } },
      data: data(3),
      revision: 0,
    });
    expect(world.settle().type).toBe('retry');
    expect(world.eventReasons).toContain('FailedCreate');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.maybeInstance).toBeUndefined();
    // What was computed of the reference is kept.
    expect(world.status.instancetypeRef).toEqual(matched.instancetype);

    world.cluster.change<objects.ControllerRevision>(ControllerRevision, name, NAMESPACE, (r) => {
      r.data = data(2);
    });
    world.settle();
    expect(world.status.instancetypeRef?.controllerRevisionRef?.name).toBe(name);
    expect(world.maybeInstance).toBeDefined();
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('a revision that was made and is not seen yet is waited for', () => {
    const world = typed();
    world.cluster.holdWatch('ControllerRevision', 'blind');
    world.pass({ limit: 1 });
    expect(world.settle()).toMatchObject({ type: 'stale', actions: [] });
    expect(world.condition('Failure')).toBeUndefined();
    world.cluster.releaseWatch('ControllerRevision');
    world.settle();
    expect(world.maybeInstance).toBeDefined();
    expect(world.eventReasons).not.toContain('FailedCreate');
  });

  test('vm case 112: what the template sets itself is a conflict: event and Failure', () => {
    const world = typed({}, template({ cpu: { cores: 1 } }));
    expect(world.settle().type).toBe('retry');
    expect(world.eventReasons).toContain('FailedCreate');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.condition('Failure')?.message).toContain('spec.template.spec.domain.cpu.cores');
    expect(kept(world)).toEqual([]);
    expect(world.revisionGenerations).toEqual([]);
  });

  test('a conflict that comes later stops the next start, with an event', () => {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
      vm.spec.template.spec = template({ cpu: { cores: 1 } });
    });
    expect(world.settle().type).toBe('retry');
    expect(world.eventReasons).toContain('FailedCreate');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.maybeInstance).toBeUndefined();
  });

  test('vm case 113: matchers taken out: the references stay, the VM revision has none', () => {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    const refs = world.status.instancetypeRef;
    world.changeVm((vm) => {
      delete vm.spec.instancetype;
      delete vm.spec.preference;
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    expect(world.status.instancetypeRef).toEqual(refs);
    expect(startSpec(world)).not.toHaveProperty('instancetype');
    expect(startSpec(world)).not.toHaveProperty('preference');
    expect(world.instance.spec.domain).not.toHaveProperty('cpu');
    expect(world.instance.metadata.annotations).not.toHaveProperty(['kubevirt.io/instancetype-name']);
  });

  test('once it is kept, changes of the object do not matter, nor does its absence', () => {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    world.cluster.change(VirtualMachineInstancetype, 'small', NAMESPACE, (o) => {
      o.spec.cpu.guest = 16;
    });
    world.cluster.delete(VirtualMachineInstancetype, 'small', NAMESPACE);
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    expect(world.instance.spec.domain.cpu?.cores).toBe(2);
  });

  test('another instance type is named: it is kept, too', () => {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    addInstancetype(world, { cpu: { guest: 4 } }, 'large');
    world.changeVm((vm) => {
      vm.spec.instancetype = { name: 'large', kind: 'virtualmachineinstancetype' };
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    expect(world.status.instancetypeRef?.controllerRevisionRef?.name).toContain('-large-');
    expect(world.instance.spec.domain.cpu?.cores).toBe(4);
  });

  test('the annotations of an instance type reach the revision and the VMI of the pass that stores it, not the VM', () => {
    const world = worldWith();
    addInstancetype(world, { annotations: { tier: 'gold' } });
    addPreference(world);
    world.settle();
    expect(startSpec(world).template.metadata).toMatchObject({ annotations: { tier: 'gold' } });
    expect(world.instance.metadata.annotations).toMatchObject({ tier: 'gold' });
    expect(world.vm.spec.template.metadata).not.toHaveProperty('annotations');
  });

  test('auto-attach preferences come before the default network and input', () => {
    const world = worldWith({}, { ...template({ devices: {} }), networks: [], volumes: [] });
    addInstancetype(world);
    addPreference(world, {
      devices: {
        preferredAutoattachPodInterface: false,
        preferredAutoattachInputDevice: true,
        preferredInputBus: 'usb',
      },
    });
    world.settle();
    expect(world.instance.spec).not.toHaveProperty('networks');
    expect(world.instance.spec.domain.devices.inputs).toEqual([{ name: 'default-0', type: '', bus: 'usb' }]);
  });

  test('vm case 55: auto-attach of inputs not preferred and not set: none', () => {
    const world = worldWith({}, template());
    addInstancetype(world);
    addPreference(world, { devices: { preferredAutoattachInputDevice: false } });
    world.settle();
    expect(world.instance.spec.domain.devices).toMatchObject({ autoattachInputDevice: false });
    expect(world.instance.spec.domain.devices).not.toHaveProperty('inputs');
  });
});

describe('upgrading (vm.md 10.2)', () => {
  /** A VM whose revisions were stored by an older KubeVirt; its instance types are gone. */
  function outdated(edit: (r: objects.ControllerRevision) => void = () => {}): World {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    for (const name of kept(world)) {
      const revision = world.cluster.get(ControllerRevision, name, NAMESPACE) as objects.ControllerRevision;
      world.cluster.delete(ControllerRevision, name, NAMESPACE);
      const { uid: _u, resourceVersion: _r, generation: _g, ...metadata } = revision.metadata;
      const labels = { ...metadata.labels, 'instancetype.kubevirt.io/object-version': 'v1alpha2' };
      const old = { ...revision, metadata: { ...metadata, labels, name: `old-${name}` } };
      edit(old);
      world.cluster.create(old);
    }
    world.changeVm((vm) => {
      for (const ref of [vm.status?.instancetypeRef, vm.status?.preferenceRef]) {
        if (ref?.controllerRevisionRef) ref.controllerRevisionRef.name = `old-${ref.controllerRevisionRef.name}`;
      }
    });
    return world;
  }

  test('a new revision of the same data takes the place of the old one', () => {
    const world = outdated();
    world.settle();
    expect(kept(world)).toHaveLength(2);
    expect(kept(world).every((name) => name.startsWith(`${NAME}-`))).toBe(true);
    const labels = world.revisions.map((r) => r.metadata.labels?.['instancetype.kubevirt.io/object-version']);
    expect(labels).toEqual(['v1beta1', 'v1beta1']);
    expect(world.status.instancetypeRef?.controllerRevisionRef?.name).toContain(`${NAME}-small-`);
    expect(world.status.preferenceRef?.controllerRevisionRef?.name).toContain(`${NAME}-linux-`);
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('the old one cannot be deleted: it stays, nothing else suffers', () => {
    const world = outdated();
    world.refuse(`delete-outdated ${world.status.instancetypeRef?.controllerRevisionRef?.name}`);
    world.settle();
    expect(kept(world)).toHaveLength(3);
    expect(world.condition('Failure')).toBeUndefined();
    expect(world.status.preferenceRef?.controllerRevisionRef?.name).toContain(`${NAME}-linux-`);
  });

  test('contents of another version are an error', () => {
    const world = outdated((r) => {
      r.data = { apiVersion: 'instancetype.kubevirt.io/v1alpha1', kind: 'VirtualMachineInstancetype', spec: 'e30=' };
    });
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedFindInstancetype' });
    expect(kept(world).every((name) => name.startsWith('old-'))).toBe(true);
  });

  test('a revision that is gone is an error', () => {
    const world = typed({ runStrategy: 'Halted', preference: undefined });
    world.settle();
    world.changeVm((vm) => {
      vm.status = { ...vm.status, preferenceRef: { controllerRevisionRef: { name: 'gone' } } };
    });
    expect(world.settle().type).toBe('retry');
    expect(world.eventReasons).toContain('FailedCreate');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
  });
});

describe('RestartRequired (vm.md 11.2)', () => {
  function changedRevision(edit: (spec: InstancetypeSpec) => void): World {
    const world = typed().started();
    const old = kept(world)[0] ?? '';
    const revision = world.cluster.get(ControllerRevision, old, NAMESPACE) as objects.ControllerRevision;
    const data = structuredClone(revision.data) as objects.VirtualMachineInstancetype;
    edit(data.spec);
    const { uid: _u, resourceVersion: _r, generation: _g, ...metadata } = revision.metadata;
    world.cluster.create({ ...revision, metadata: { ...metadata, name: 'other' }, data });
    world.changeVm((vm) => {
      vm.spec.instancetype = { ...matched.instancetype, revisionName: 'other' };
    });
    world.settle();
    return world;
  }

  test('vm case 82: another revision with dedicated CPUs', () => {
    const world = changedRevision((spec) => {
      spec.cpu.dedicatedCPUPlacement = true;
    });
    expect(world.condition('RestartRequired')).toMatchObject({ status: 'True' });
  });

  test('vm case 82: another revision with the same spec', () => {
    const world = changedRevision(() => {});
    expect(world.status.instancetypeRef?.controllerRevisionRef?.name).toBe('other');
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('a running VM of an instance type needs no restart for that', () => {
    const world = typed().started();
    expect(world.condition('RestartRequired')).toBeUndefined();
    expect(world.status.printableStatus).toBe('Running');
  });
});

describe('expanding (vm.md 10.7)', () => {
  function withPolicy(referencePolicy: string, world: World): World {
    const { configuration } = world.driver;
    const kubevirt = { ...configuration.kubevirt, instancetype: { referencePolicy } };
    world.driver.configuration = { ...configuration, kubevirt } as typeof configuration;
    return world;
  }

  function isExpanded(world: World): void {
    expect(world.vm.spec).not.toHaveProperty('instancetype');
    expect(world.vm.spec).not.toHaveProperty('preference');
    expect(world.status).not.toHaveProperty('instancetypeRef');
    expect(world.status).not.toHaveProperty('preferenceRef');
    expect(kept(world)).toEqual([]);
    expect(world.vm.spec.template.spec).toMatchObject({
      architecture: 'amd64',
      evictionStrategy: 'None',
      domain: {
        cpu: { cores: 2, sockets: 1, threads: 1 },
        memory: { guest: '256Mi' },
        machine: { type: 'q35' },
      },
    });
  }

  test.each(['expand', 'expandAll'])('vm case 114: policy %s, nothing captured: the template has it all', (policy) => {
    const world = withPolicy(policy, typed());
    world.settle();
    isExpanded(world);
    expect(world.instance.spec.domain.cpu).toMatchObject({ cores: 2 });
    expect(world.instance.metadata.annotations).not.toHaveProperty(['kubevirt.io/instancetype-name']);
  });

  test('vm case 114: policy expand, references captured: nothing', () => {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    const before = world.vm;
    withPolicy('expand', world);
    world.settle();
    expect(world.vm).toEqual(before);
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    expect(world.instance.spec.domain.cpu).toMatchObject({ cores: 2 });
  });

  test('vm case 114: policy expandAll, references captured: the revisions go', () => {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    withPolicy('expandAll', world);
    world.settle();
    isExpanded(world);
  });

  test('a conflict is an error without an event', () => {
    const world = withPolicy('expandAll', typed({}, template({ cpu: { cores: 1 } })));
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'UnsupportedSyncError' });
    expect(world.eventReasons).toEqual([]);
  });

  test('a revision that cannot be deleted: FailedCreate, and another try', () => {
    const world = typed({ runStrategy: 'Halted' });
    world.settle();
    const [first = ''] = kept(world);
    withPolicy('expandAll', world);
    world.refuse(`delete-expanded ${first}`);
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    world.cluster.refuse.clear();
    world.settle();
    expect(world.condition('Failure')).toBeUndefined();
    isExpanded(world);
  });

  describe('cut short anywhere', () => {
    const course = (disturb: (world: World, step: number) => void) => {
      const world = typed({ runStrategy: 'Halted' });
      world.settle();
      withPolicy('expandAll', world);
      disturb(world, 0);
      world.settle();
      return [world.vm.spec, world.status.instancetypeRef, kept(world)];
    };
    testEachDisturbance<World>(
      1,
      course,
      course(() => {}),
    );
  });
});

describe('a course of an instance type, cut short anywhere', () => {
  const essence = (world: World) => [
    world.vm.spec,
    world.status,
    world.maybeInstance?.spec,
    world.revisions.map((r) => [r.metadata.labels, (r.data as { spec: unknown }).spec]),
  ];
  const course = (disturb: (world: World, step: number) => void): readonly unknown[] => {
    const world = worldWith();
    const ends = [];
    addPreference(world);
    disturb(world, 0);
    world.settle();
    addInstancetype(world);
    disturb(world, 1);
    world.settle();
    world.phase('Running');
    disturb(world, 2);
    world.settle();
    ends.push(withoutChance(essence(world)));
    return ends;
  };
  testEachDisturbance<World & { pass(disturbance?: Disturbance): unknown }>(
    3,
    course,
    course(() => {}),
  );
});

/** Without times, texts, and what is made of uids and versions. */
function withoutChance(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, v: unknown) => (/Time(stamp)?$|^message$|uid/.test(key) ? undefined : v)).replaceAll(
      /uid-?\d+/g,
      'uid',
    ),
  );
}
