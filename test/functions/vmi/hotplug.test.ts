import { describe, expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import {
  attachmentPod,
  bound,
  claim,
  dataVolume,
  filledClaim,
  handedOver,
  hotplug,
  LAUNCHER,
  pod,
  runningPod,
  SERVING,
  vmi,
} from './fixtures.ts';
import type { Stored, World } from './world.ts';
import { worldOf } from './worlds.ts';

type Entry = NonNullable<NonNullable<VirtualMachineInstance['status']>['volumeStatus']>[number];
const dying = { deletionTimestamp: '2026-01-01T00:00:00Z' };

/** A running VMI with these hotplugged volumes and these entries in its status. */
function running(volumes: readonly object[], entries: readonly Partial<Entry>[] = [], ...objects: Stored[]): World {
  const volumeStatus = entries.map((e) => ({ name: '', target: '', ...e }));
  return worldOf(
    handedOver('Running', {
      spec: { domain: { devices: {} }, volumes: volumes as never },
      status: { selinuxContext: 'none', ...(volumeStatus.length > 0 && { volumeStatus }) },
    }),
    runningPod(),
    ...objects,
  );
}

const attached = (name: string, phase: string, by = 'hp'): Partial<Entry> => ({
  name,
  phase,
  hotplugVolume: { attachPodName: by, attachPodUID: `uid-${by}` },
});

function serve(world: World): void {
  world.changePod(world.hotplugPod, (p) => {
    p.spec.nodeName = 'node01';
    p.status = { ...p.status, phase: 'Running', ...SERVING };
  });
}

describe('attaching (vmi.md 7, 9.6)', () => {
  test('vmi case 51: a hotpluggable volume without its claim does not hold up the launcher pod', () => {
    const world = worldOf(vmi('Pending', { spec: { domain: { devices: {} }, volumes: [hotplug('extra')] } }));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pod.spec.volumes?.map((v) => v.name)).not.toContain('extra');
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
  });

  test('vmi case 96: a bound claim: attachment pod and event, the status still shows the claim', () => {
    const world = running([hotplug('extra')], [], bound('extra'));
    expect(world.pass().type).toBe('done');
    expect(world.hotplugPod.metadata).toMatchObject({
      name: expect.stringMatching(/^hp-volume-[a-z0-9]{5}$/) as unknown,
      generateName: 'hp-volume-',
      namespace: 'default',
      ownerReferences: [{ kind: 'Pod', name: LAUNCHER, uid: `uid-${LAUNCHER}`, controller: true }],
      annotations: { 'kubevirt.io/owner-vmi-name': 'testvmi', 'kubevirt.io/owner-vmi-uid': '1234' },
    });
    expect(world.events).toEqual(['Normal SuccessfulCreate']);
    expect(world.volume('extra')).toMatchObject({
      phase: 'Bound',
      reason: 'PVCNotReady',
      target: '',
      hotplugVolume: {},
      persistentVolumeClaimInfo: { claimName: 'extra' },
    });
  });

  test('vmi case 97: the pod is seen: AttachedToNode; its container is ready: with the uid', () => {
    const world = running([hotplug('extra')], [], bound('extra'));
    world.pass();
    world.pass();
    const { name, uid } = world.hotplugPod.metadata;
    expect(world.volume('extra')).toMatchObject({
      phase: 'AttachedToNode',
      reason: 'SuccessfulCreate',
      hotplugVolume: { attachPodName: name },
    });
    expect(world.volume('extra')?.hotplugVolume).not.toHaveProperty('attachPodUID');
    expect(world.events).toEqual(['Normal SuccessfulCreate', 'Normal SuccessfulCreate']);
    serve(world);
    world.settle();
    expect(world.volume('extra')?.hotplugVolume).toEqual({ attachPodName: name, attachPodUID: uid });
    expect(world.volume('extra')?.phase).toBe('AttachedToNode');
  });

  test('vmi case 98: no SELinux context: no pod, no error', () => {
    const world = running([hotplug('extra')], [], bound('extra'));
    world.changeVmi((v) => delete v.status?.selinuxContext);
    expect(world.settle().type).toBe('done');
    expect(world.hotplugPods).toEqual([]);
    expect(world.volume('extra')).toMatchObject({ phase: 'Bound' });
  });

  test.each([
    ['Pending', 'Pending', 'PVCNotReady'],
    ['Lost', 'Pending', 'PVCNotReady'],
    ['Bound', 'Bound', 'PVCNotReady'],
  ])('a claim in phase %s without a pod shows as %s', (phase, shown, reason) => {
    const world = running([hotplug('extra')], [], claim('extra', { status: { phase } }));
    world.changeVmi((v) => delete v.status?.selinuxContext);
    world.pass();
    expect(world.volume('extra')).toMatchObject({ phase: shown, reason });
  });

  test('a claim that does not exist: the volume is Pending, the key backs off, nothing else happens', () => {
    const world = running([hotplug('extra')]);
    expect(world.pass().type).toBe('retry');
    expect(world.volume('extra')).toMatchObject({ phase: 'Pending', reason: 'FailedPvcNotFound' });
    expect(world.hotplugPods).toEqual([]);
    world.put(bound('extra'));
    world.settle();
    expect(world.hotplugPods).toHaveLength(1);
  });

  test('a volume that is mounted falls back to its claim when its pod is gone, a Ready one does not', () => {
    const world = running(
      [hotplug('a'), hotplug('b')],
      [attached('a', 'MountedToPod'), attached('b', 'Ready')],
      bound('a'),
      bound('b'),
    );
    world.changeVmi((v) => delete v.status?.selinuxContext);
    world.settle();
    expect(world.volume('a')).toMatchObject({ phase: 'Bound', hotplugVolume: { attachPodName: 'hp' } });
    expect(world.volume('a')?.hotplugVolume).not.toHaveProperty('attachPodUID');
    expect(world.volume('b')).toMatchObject({ phase: 'Ready', hotplugVolume: { attachPodUID: 'uid-hp' } });
  });

  test('the pod can not be created: event, error, and no clean-up in that pass', () => {
    const world = running([hotplug('extra')], [], bound('extra'), attachmentPod('old', ['gone'], 'Running'));
    const { actions } = world.pass({ limit: 0 });
    const id = actions.find((a) => a.verb === 'create')?.id ?? '';
    world.refuse(id, 403, 'exceeded quota: q');
    world.pass();
    const outcome = world.pass();
    expect(outcome).toMatchObject({ type: 'retry', reason: expect.stringMatching(/^FailedCreate/) as unknown });
    expect(outcome.actions.filter((a) => a.verb === 'delete')).toEqual([]);
    expect(world.events).toContain('Warning FailedCreate');
    world.refuseNothing();
    world.settle();
    expect(world.hotplugPods.map((p) => p.metadata.name)).not.toContain('old');
  });

  test('a pod that was created and is not seen yet is not made again', () => {
    const world = running([hotplug('extra')], [], bound('extra'));
    world.cluster.holdWatch('Pod', 'blind');
    world.pass();
    for (let i = 0; i < 3; i++) expect(world.pass()).toMatchObject({ type: 'stale' });
    world.cluster.releaseWatch('Pod');
    expect(world.hotplugPods).toHaveLength(1);
  });

  test('several volumes are attached by one pod, and a further one by a new pod in its place', () => {
    const world = running([hotplug('a'), hotplug('b')], [], bound('a'), bound('b'), bound('c'));
    world.settle();
    const first = world.hotplugPod;
    serve(world);
    world.settle();
    world.changeVmi((v) => v.spec.volumes?.push(hotplug('c')));
    world.settle();
    expect(world.hotplugPods).toHaveLength(2);
    const second = world.hotplugPods.find((p) => p.metadata.name !== first.metadata.name);
    if (second === undefined) throw new Error('no second pod');
    world.changePod(second, (p) => (p.status = { ...p.status, phase: 'Running', ...SERVING }));
    world.settle();
    expect(world.hotplugPod.metadata.name).toBe(second.metadata.name);
    expect(['a', 'b', 'c'].map((name) => world.volume(name)?.hotplugVolume?.attachPodName)).toEqual(
      Array(3).fill(second.metadata.name),
    );
  });

  test('a pod of the future: waits until its time, makes none beside it', () => {
    const world = running([hotplug('extra')], [], bound('extra'), attachmentPod('old', ['x'], 'Running'));
    const created = new Date(world.cluster.nowMs + 30_000).toISOString();
    world.changePod(world.hotplugPod, (p) => (p.metadata.creationTimestamp = created));
    expect(world.pass()).toMatchObject({ type: 'requeue-after', afterMs: 30_000 });
    expect(world.pods.filter((p) => p.metadata.name.startsWith('hp-volume-'))).toEqual([]);
    world.later(30_000);
    world.settle();
    expect(world.pods.filter((p) => p.metadata.name.startsWith('hp-volume-'))).toHaveLength(1);
  });
});

describe('detaching (vmi.md 7.4, 9.5)', () => {
  test('vmi case 99: not mounted: pod deleted, entry Detaching until the pod is gone', () => {
    const world = running([], [attached('extra', 'UnMountedFromPod')], attachmentPod('hp', ['extra'], 'Running'));
    world.cluster.holdWatch('Pod', 'blind');
    const { actions } = world.pass();
    expect(actions).toContainEqual(expect.objectContaining({ verb: 'delete', gracePeriodSeconds: 0 }));
    expect(world.volume('extra')).toMatchObject({
      phase: 'Detaching',
      hotplugVolume: { attachPodName: 'hp', attachPodUID: 'uid-hp' },
    });
    world.cluster.releaseWatch('Pod');
    world.settle();
    expect(world.volume('extra')).toBeUndefined();
    expect(world.hotplugPods).toEqual([]);
  });

  test('vmi case 99: the pod is on its way out: the entry says so, with an event', () => {
    const world = running(
      [],
      [attached('extra', 'Detaching')],
      attachmentPod('hp', ['extra'], 'Running', { metadata: dying }),
    );
    world.pass();
    expect(world.volume('extra')).toMatchObject({ phase: 'Detaching', reason: 'SuccessfulDelete' });
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
  });

  test.each(['Ready', 'MountedToPod'])('vmi case 100: still %s: pod and phase are kept', (phase) => {
    const world = running(
      [],
      [attached('extra', phase)],
      attachmentPod('hp', ['extra'], 'Running', { status: SERVING }),
    );
    world.settle();
    expect(world.hotplugPods).toHaveLength(1);
    expect(world.volume('extra')).toEqual({ target: '', ...attached('extra', phase) });
  });

  test('vmi case 128: Ready and taken out of the spec: nothing is written until the node agent drops the entry', () => {
    const world = running(
      [hotplug('extra')],
      [attached('extra', 'Ready')],
      bound('extra'),
      attachmentPod('hp', ['extra'], 'Running', { status: SERVING }),
    );
    world.settle();
    const before = world.volume('extra');
    world.changeVmi((v) => (v.spec.volumes = []));
    expect(world.pass()).toEqual({ type: 'done', actions: [] });
    expect(world.volume('extra')).toEqual(before);
    world.changeVmi((v) => (v.status = { ...v.status, volumeStatus: [] }));
    const { actions } = world.pass();
    expect(actions).toContainEqual(expect.objectContaining({ verb: 'delete', gracePeriodSeconds: 0 }));
    expect(world.hotplugPods).toEqual([]);
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
  });

  test('vmi case 101: added again while its old pod goes: by its claim, then attached', () => {
    const world = running(
      [hotplug('extra')],
      [attached('extra', 'Detaching', 'old')],
      bound('extra'),
      attachmentPod('old', ['extra'], 'Running', { metadata: dying }),
    );
    world.pass();
    expect(world.volume('extra')).toMatchObject({ phase: 'Bound', reason: 'PVCNotReady' });
    world.removePod(world.pods.find((p) => p.metadata.name === 'old') ?? world.pod);
    world.settle();
    expect(world.volume('extra')).toMatchObject({
      phase: 'AttachedToNode',
      hotplugVolume: { attachPodName: world.hotplugPod.metadata.name },
    });
  });

  test('vmi case 102: one pod with just the volumes: nothing to do', () => {
    const world = running(
      [hotplug('extra')],
      [attached('extra', 'Ready')],
      bound('extra'),
      attachmentPod('hp', ['extra'], 'Running', { status: SERVING }),
    );
    world.settle();
    expect(world.hotplugPod.metadata.name).toBe('hp');
    expect(world.events).toEqual([]);
  });

  test('vmi case 102: two pods: the other one goes', () => {
    const world = running(
      [hotplug('extra')],
      [attached('extra', 'Ready')],
      bound('extra'),
      attachmentPod('hp', ['extra'], 'Running', { status: SERVING }),
      attachmentPod('other', ['gone'], 'Running'),
    );
    world.settle();
    expect(world.hotplugPod.metadata.name).toBe('hp');
  });

  test('vmi case 102: no volumes and one pod: it goes', () => {
    const world = running([], [], attachmentPod('hp', ['extra'], 'Running'));
    world.settle();
    expect(world.hotplugPods).toEqual([]);
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
  });

  test.each([
    ['a volume of the spec', ['a'], true],
    ['only what leaves (HP-03)', ['x'], false],
    ['both', ['a', 'x'], true],
  ])('vmi case 103: new pod pending, the old one holds %s', (_, held, kept) => {
    const world = running(
      [hotplug('a'), hotplug('b')],
      [attached('x', 'Detaching', 'old')],
      bound('a'),
      bound('b'),
      attachmentPod('old', held, 'Running', { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } }),
      attachmentPod('new', ['a', 'b'], 'Pending', { metadata: { creationTimestamp: '2026-01-02T00:00:00Z' } }),
    );
    world.pass();
    expect(world.hotplugPods.map((p) => p.metadata.name)).toEqual(kept ? ['old', 'new'] : ['new']);
  });

  test('vmi case 103: the new pod runs: the old one goes', () => {
    const world = running(
      [hotplug('a'), hotplug('b')],
      [],
      bound('a'),
      bound('b'),
      attachmentPod('old', ['a'], 'Running'),
      attachmentPod('new', ['a', 'b'], 'Running', { status: SERVING }),
    );
    world.settle();
    expect(world.hotplugPod.metadata.name).toBe('new');
  });

  test('vmi case 104: an old pod that is still pending: no new one', () => {
    const world = running(
      [hotplug('a'), hotplug('b')],
      [],
      bound('a'),
      bound('b'),
      attachmentPod('old', ['a'], 'Pending'),
    );
    const { actions } = world.pass();
    expect(actions.filter((a) => a.verb === 'create')).toEqual([]);
    world.settle();
    expect(world.hotplugPod.metadata.name).not.toBe('old');
  });

  test('vmi case 107: pods of a failed migration target go though the VMI runs', () => {
    const target = pod('Failed', { name: 'target', spec: { nodeName: 'node02' } });
    const ofTarget = {
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'target', uid: 'uid-target', controller: true }],
    };
    const world = running(
      [hotplug('extra')],
      [attached('extra', 'Ready')],
      bound('extra'),
      attachmentPod('hp', ['extra'], 'Running', { status: SERVING }),
      target,
      attachmentPod('hp-target', ['extra'], 'Running', { metadata: ofTarget }),
    );
    world.settle();
    expect(world.hotplugPod.metadata.name).toBe('hp');
    expect(world.status.phase).toBe('Running');
  });

  test('a VMI that is final: pods of its current pod go; a failure is told', () => {
    const world = worldOf(
      vmi('Succeeded'),
      pod('Succeeded'),
      attachmentPod('hp', ['extra'], 'Running', { metadata: { uid: 'hp' } }),
    );
    world.refuse('delete pod hp', 500, 'no');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.events).toEqual(['Warning FailedDelete']);
    expect(world.conditions).toContain('Synchronized False FailedHotplugSync');
    world.refuseNothing();
    world.settle();
    expect(world.hotplugPods).toEqual([]);
  });
});

describe('volumes that wait for their first consumer (vmi.md 7.6)', () => {
  const onDataVolume = (name: string) => ({ name, dataVolume: { name, hotpluggable: true } });
  const waiting = (name: string): Stored[] => [
    filledClaim(name, { status: { phase: 'Pending' } }),
    dataVolume(name, 'WaitForFirstConsumer'),
  ];

  test('vmi case 105: a trigger pod, and no second one while it is there', () => {
    const world = running([onDataVolume('extra')], [], ...waiting('extra'));
    world.pass();
    expect(world.hotplugPod.metadata.annotations).toMatchObject({ 'kubevirt.io/ephemeral-provisioning': 'true' });
    expect(world.events).toEqual(['Normal SuccessfulCreate']);
    world.settle();
    expect(world.hotplugPods).toHaveLength(1);
  });

  test('vmi case 105: no second one beside other attachment pods either', () => {
    const world = running(
      [onDataVolume('a'), hotplug('b'), onDataVolume('c')],
      [],
      ...waiting('a'),
      bound('b'),
      ...waiting('c'),
    );
    world.settle();
    expect(
      world.hotplugPods.map((p) => p.spec.volumes?.flatMap((v) => v.persistentVolumeClaim?.claimName ?? [])),
    ).toEqual(expect.arrayContaining([['a'], ['b'], ['c']]));
    expect(world.hotplugPods).toHaveLength(3);
  });

  test('the claim is filled: the trigger pod goes, an attachment pod comes', () => {
    const world = running([onDataVolume('extra')], [], ...waiting('extra'));
    world.settle();
    const trigger = world.hotplugPod;
    world.changePod(trigger, (p) => {
      p.spec.nodeName = 'node01';
      p.status = { ...p.status, phase: 'Running' };
    });
    world.put(dataVolume('extra', 'Succeeded'));
    world.put(filledClaim('extra', { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }));
    world.settle();
    expect(world.hotplugPod.metadata.name).not.toBe(trigger.metadata.name);
    expect(world.hotplugPod.metadata.annotations).not.toHaveProperty(['kubevirt.io/ephemeral-provisioning']);
    expect(world.volume('extra')).toMatchObject({ phase: 'AttachedToNode' });
  });

  test('no SELinux context: FailedCreate, without an event', () => {
    const world = running([onDataVolume('extra')], [], ...waiting('extra'));
    world.changeVmi((v) => delete v.status?.selinuxContext);
    expect(world.pass()).toMatchObject({ type: 'retry', reason: expect.stringMatching(/^FailedCreate/) as unknown });
    expect(world.events).toEqual([]);
  });

  test('the trigger pod can not be created: event and error', () => {
    const world = running([onDataVolume('extra')], [], ...waiting('extra'));
    const id = world.pass({ limit: 0 }).actions.find((a) => a.verb === 'create')?.id ?? '';
    world.refuse(id, 500, 'no');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry', reason: expect.stringMatching(/^FailedCreate/) as unknown });
    expect(world.events).toEqual(['Warning FailedCreate']);
  });

  test('not filled yet, and not waiting: nothing', () => {
    const world = running([onDataVolume('extra')], [], filledClaim('extra'), dataVolume('extra', 'ImportInProgress'));
    world.settle();
    expect(world.hotplugPods).toEqual([]);
  });
});

describe('utility volumes and memory dumps', () => {
  const withUtility = (...objects: Stored[]) => {
    const world = running([], [], ...objects);
    world.changeVmi((v) => (v.spec.utilityVolumes = [{ name: 'u', claimName: 'tools' }]));
    return world;
  };

  test('vmi case 106: on a block claim it is not attached', () => {
    const world = withUtility(bound('tools', { spec: { volumeMode: 'Block' } }));
    world.settle();
    expect(world.hotplugPods).toEqual([]);
    expect(world.volume('u')).toMatchObject({ phase: 'Pending', reason: 'PVCNotReady' });
    expect(world.volume('u')).not.toHaveProperty('persistentVolumeClaimInfo');
  });

  test('vmi case 106: on a file system it is attached', () => {
    const world = withUtility(bound('tools'));
    world.settle();
    expect(world.hotplugPods).toHaveLength(1);
    expect(world.volume('u')).toMatchObject({
      phase: 'AttachedToNode',
      persistentVolumeClaimInfo: { claimName: 'tools' },
    });
  });

  test('vmi case 106: its claim is missing: PVCNotReady', () => {
    const world = withUtility();
    expect(world.pass()).toMatchObject({ type: 'retry', reason: expect.stringMatching(/^PVCNotReady/) as unknown });
  });

  test('vmi case 109: a memory dump: entry with the volume’s name for the claim, attached like any other', () => {
    const world = running(
      [{ name: 'dump', memoryDump: { claimName: 'dumps', hotpluggable: true } }],
      [],
      bound('dumps'),
    );
    world.settle();
    expect(world.volume('dump')).toMatchObject({
      memoryDumpVolume: { claimName: 'dump' },
      phase: 'AttachedToNode',
      hotplugVolume: { attachPodName: world.hotplugPod.metadata.name },
      persistentVolumeClaimInfo: { claimName: 'dumps' },
    });
    world.changeVmi((v) => {
      const entry = v.status?.volumeStatus?.[0];
      if (entry !== undefined) {
        entry.phase = 'MemoryDumpVolumeCompleted';
        entry.memoryDumpVolume = { claimName: 'dumps', targetFileName: 'f' };
      }
    });
    world.settle();
    expect(world.volume('dump')).toMatchObject({
      phase: 'MemoryDumpVolumeCompleted',
      memoryDumpVolume: { claimName: 'dumps', targetFileName: 'f' },
    });
  });
});

describe('the share of a file system (vmi.md 9.8)', () => {
  const cdi = (name: string): Stored => ({ apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDI', metadata: { name } });
  const config = (status?: object): Stored => ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'CDIConfig',
    metadata: { name: 'config' },
    ...(status && { status }),
  });
  const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }];
  const handingOver = (...objects: Stored[]) =>
    worldOf(
      vmi('Scheduling', { spec: { domain: { devices: {} }, volumes } }),
      runningPod({ spec: { nodeName: 'node01', volumes: [{ name: 'disk' }] } }),
      ...objects,
    );
  const told = (world: World) => world.volume('disk')?.persistentVolumeClaimInfo?.filesystemOverhead;
  const overheads = { filesystemOverhead: { global: '0.1', storageClass: { fast: '0.2' } } };

  test.each([[[]], [['a', 'b']]])('vmi case 108: CDIs %o: 0.055', (names) => {
    const world = handingOver(claim('disk'), config(overheads), ...names.map(cdi));
    world.pass();
    expect(told(world)).toBe('0.055');
  });

  test.each([[[]], [[config()]]])(
    'vmi case 108: one CDI, what it says of overheads is missing: nothing written',
    (configs) => {
      const world = handingOver(claim('disk'), cdi('cdi'), ...configs);
      const before = world.vmi;
      expect(world.pass().type).toBe('retry');
      expect(world.vmi).toEqual(before);
      world.put(config(overheads));
      world.settle();
      expect(world.status.phase).toBe('Scheduled');
    },
  );

  test.each([
    [{}, '0.1'],
    [{ storageClassName: 'fast' }, '0.2'],
    [{ volumeMode: 'Block' }, '0'],
  ])('one CDI, claim with %o: %s', (extra, share) => {
    const world = handingOver(claim('disk', { spec: extra }), cdi('cdi'), config(overheads));
    world.pass();
    expect(told(world)).toBe(share);
  });
});
