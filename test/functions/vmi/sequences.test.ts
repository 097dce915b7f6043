import { describe, expect, test } from 'vitest';
import { container, LAUNCHER_IMAGE, RUNNING, vmi } from './fixtures.ts';
import type { World } from './world.ts';
import { worldOf } from './worlds.ts';

const spec = {
  domain: {
    devices: { disks: [{ name: 'boot', disk: { bus: 'virtio' } }], interfaces: [{ name: 'default', masquerade: {} }] },
    resources: { requests: { memory: '128Mi' } },
  },
  networks: [{ name: 'default', pod: {} }],
  volumes: [{ name: 'boot', containerDisk: { image: 'registry.example/disks/small:1' } }],
};

function fresh(extra: object = {}): World {
  const instance = vmi('', { spec: { ...spec, ...extra } as never });
  delete instance.metadata.annotations;
  return worldOf(instance);
}

/** What scheduler and kubelet do. */
function run(world: World): void {
  world.changePod(world.pod, (p) => {
    p.spec.nodeName = 'node01';
    p.status = {
      ...p.status,
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }, ...(p.status?.conditions ?? [])],
      containerStatuses: p.spec.containers.map((c) => container(c.name, true, RUNNING)),
    };
  });
}

/** What virt-handler does. */
function agent(world: World, phase: string): void {
  world.changeVmi((v) => (v.status = { ...v.status, phase }));
}

describe('sequences (vmi.md 18)', () => {
  test('vmi case 121: new VMI: three PUTs to Scheduling with the pod seen', () => {
    const world = fresh();
    world.pass();
    expect(world.vmi.metadata.annotations).toMatchObject({ 'kubevirt.io/latest-observed-api-version': 'v1' });
    expect(world.status.runtimeUser).toBe(0);
    expect(world.pods).toEqual([]);

    world.pass();
    expect(world.status).toMatchObject({
      phase: 'Scheduling',
      launcherContainerImageVersion: LAUNCHER_IMAGE,
      memory: { memoryOverhead: '295168Ki' },
    });
    expect(world.stamped).toEqual(['Scheduling']);
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);

    world.pass();
    expect(world.status).toMatchObject({ activePods: { [world.pod.metadata.uid ?? '']: '' }, qosClass: 'Burstable' });
    expect(world.vmi.metadata.labels).toBeUndefined();
    expect(world.pass()).toEqual({ type: 'done', actions: [] });
    expect(world.events).toEqual(['Normal SuccessfulCreate']);
  });

  test('vmi case 122: pod bound and running: Scheduled, then the label on the pod', () => {
    const world = fresh();
    world.settle();
    run(world);
    world.pass();
    expect(world.status).toMatchObject({
      phase: 'Scheduled',
      nodeName: 'node01',
      activePods: { [world.pod.metadata.uid ?? '']: 'node01' },
      interfaces: [{ name: 'default', podInterfaceName: 'eth0' }],
      volumeStatus: [{ name: 'boot', target: '' }],
      migrationTransport: 'Unix',
    });
    expect(world.status.interfaces?.[0]?.infoSource).toBeUndefined();
    expect(world.stamped).toEqual(['Scheduling', 'Scheduled']);
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
    expect(world.pod.metadata.labels?.['kubevirt.io/nodeName']).toBeUndefined();
    world.pass();
    expect(world.pod.metadata.labels?.['kubevirt.io/nodeName']).toBe('node01');
  });

  test.each(['Succeeded', 'Failed'])('vmi case 123: virt-handler sets Running and %s, VMI deleted', (phase) => {
    const world = fresh();
    world.settle();
    run(world);
    world.settle();
    agent(world, 'Running');
    world.settle();
    expect(world.conditions).toEqual(['Ready True']);
    world.changePod(world.pod, (p) => (p.status = { ...p.status, phase: phase as 'Failed' }));
    agent(world, phase);
    world.settle();
    expect(world.stamped).toEqual(['Scheduling', 'Scheduled']);
    expect(world.status.activePods).toEqual({ [world.pod.metadata.uid ?? '']: 'node01' });
    expect(world.conditions).toEqual(['Ready False PodTerminating']);
    expect(world.vmi.metadata.finalizers).toEqual(['kubevirt.io/foregroundDeleteVirtualMachine']);

    world.changeVmi((v) => (v.metadata.deletionTimestamp = '2027-01-01T00:00:00Z'));
    world.pass();
    expect(world.pods).toEqual([]);
    expect(world.events).toEqual(['Normal SuccessfulCreate', 'Normal SuccessfulDelete']);
    world.pass();
    expect(world.hasVmi).toBe(false);
  });

  test.each(['Scheduling', 'Scheduled', 'Running'])('vmi case 124: %s VMI, pod object removed', (phase) => {
    const world = fresh();
    world.settle();
    if (phase !== 'Scheduling') run(world);
    world.settle();
    if (phase === 'Running') agent(world, 'Running');
    world.settle();
    const before = world.status;
    world.removePod(world.pod);
    world.pass();
    expect(world.status.phase).toBe('Failed');
    expect(world.conditions).toEqual(['Ready False PodNotExists']);
    expect(world.status.activePods ?? {}).toEqual({});
    expect(world.vmi.metadata.finalizers).toEqual(['kubevirt.io/foregroundDeleteVirtualMachine']);
    world.pass();
    expect(world.vmi.metadata.finalizers).toBeUndefined();
    expect(world.status.launcherContainerImageVersion).toBeUndefined();
    expect(world.stamped.includes('Failed')).toBe(phase === 'Scheduling');
    const { nodeName, interfaces, volumeStatus, memory, qosClass } = world.status;
    expect({ nodeName, interfaces, volumeStatus, memory, qosClass }).toEqual({
      nodeName: before.nodeName,
      interfaces: before.interfaces,
      volumeStatus: before.volumeStatus,
      memory: before.memory,
      qosClass: before.qosClass,
    });
    expect(world.events).toEqual(['Normal SuccessfulCreate']);
  });

  test('vmi case 129: pod refused by the API: event and condition; rendering error: the condition only', () => {
    const refused = fresh();
    refused.refuse('create launcher pod', 422, 'invalid node selector');
    for (let i = 0; i < 6; i++) refused.pass();
    expect(new Set(refused.events)).toEqual(new Set(['Warning FailedCreate']));
    const unreadable = fresh();
    unreadable.changeVmi((v) => {
      v.metadata.annotations = { ...v.metadata.annotations, 'hooks.kubevirt.io/hookSidecars': 'not json' };
    });
    for (let i = 0; i < 3; i++) unreadable.pass();
    expect(unreadable.events).toEqual([]);
    for (const world of [refused, unreadable]) {
      expect(world.conditions).toEqual(['Ready False PodNotExists', 'Synchronized False FailedCreate']);
      expect(world.status.phase).toBe('Pending');
      expect(world.stamped).toEqual(['Pending']);
      expect(world.pods).toEqual([]);
    }
  });

  test('vmi case 131: exec probe wrapped and kept so, spec in written form', () => {
    const world = fresh({
      domain: { ...spec.domain, resources: { requests: { memory: '1000M' } } },
      readinessProbe: { exec: { command: ['cat', '/x'] }, timeoutSeconds: 5 },
      volumes: [{ name: 'host', hostDisk: { path: '/disk.img', type: 'Disk' } }],
    });
    world.settle();
    const { readinessProbe, domain, volumes } = world.vmi.spec;
    expect(readinessProbe).toMatchObject({
      timeoutSeconds: 5,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
    expect(readinessProbe?.exec?.command).toContain('virt-probe');
    expect(domain.resources?.requests).toEqual({ memory: '1G' });
    expect(volumes?.[0]?.hostDisk?.capacity).toBe('0');
    const compute = world.pod.spec.containers.find((c) => c.name === 'compute');
    expect(compute?.readinessProbe).toMatchObject({ timeoutSeconds: 6, initialDelaySeconds: 10 });
  });

  test('vmi case 131: a probe that rendering changed is stored also when the POST fails', () => {
    const world = fresh({ readinessProbe: { exec: { command: ['cat', '/x'] } } });
    world.refuse('create launcher pod', 500, 'no');
    for (let i = 0; i < 3; i++) world.pass();
    expect(world.vmi.spec.readinessProbe).toMatchObject({ timeoutSeconds: 1, periodSeconds: 10 });
    expect(world.status.phase).toBe('Pending');
  });
});
