import { describe, expect, test } from 'vitest';
import { container, pod, RUNNING, runningPod, TERMINATED, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const network = {
  domain: { devices: { interfaces: [{ name: 'default', masquerade: {} }] } },
  networks: [{ name: 'default', pod: {} }],
  volumes: [{ name: 'boot', containerDisk: { image: 'registry.example/disks/small:1' } }],
};
const ready = { containerStatuses: [container('compute', false, RUNNING)] };
const scheduledFalse = (reason: string, message: string) => ({
  type: 'PodScheduled',
  status: 'False',
  reason,
  message,
});

describe('Pending (vmi.md 8.3)', () => {
  test.each([
    ['Running', 'GuestNotRunning'],
    ['Unknown', 'GuestNotRunning'],
    ['Pending', 'GuestNotRunning'],
    ['Succeeded', 'PodTerminating'],
    ['Failed', 'PodTerminating'],
  ])('vmi case 17: launcher pod %s: Scheduling, Ready False %s', (podPhase, reason) => {
    const world = worldOf(vmi('Pending'), pod(podPhase));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.conditions).toEqual([`Ready False ${reason}`]);
  });

  test('vmi case 18: deleted without pod: Failed, then the finalizers go', () => {
    const world = worldOf(vmi('Pending', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }));
    world.pass();
    expect(world.status.phase).toBe('Failed');
    world.pass();
    expect(world.hasVmi).toBe(false);
  });

  test('a deleted VMI is not Failed while the API knows a pod that the snapshot does not show', () => {
    const world = worldOf(vmi('Pending', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }));
    world.cluster.holdWatch('Pod');
    world.put(pod('Pending'));
    world.pass();
    expect(world.status.phase).toBe('Pending');
    world.cluster.releaseWatch('Pod');
  });
});

describe('Scheduling (vmi.md 8.3)', () => {
  test('vmi case 19: no pod: Failed', () => {
    const world = worldOf(vmi('Scheduling'));
    world.pass();
    expect(world.status.phase).toBe('Failed');
    expect(world.stamped).toEqual(['Failed']);
  });

  test('vmi case 19: not while the API knows a pod that the snapshot does not show', () => {
    const world = worldOf(vmi('Scheduling'));
    world.cluster.holdWatch('Pod');
    world.put(pod('Pending'));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    world.cluster.releaseWatch('Pod');
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
  });

  test.each(['Failed', 'Succeeded'])('vmi case 20: pod %s: Failed', (podPhase) => {
    const world = worldOf(vmi('Scheduling'), pod(podPhase));
    world.pass();
    expect(world.status.phase).toBe('Failed');
  });

  test('vmi case 21: pod Pending with terminated compute: Failed', () => {
    const world = worldOf(
      vmi('Scheduling'),
      pod('Pending', { status: { containerStatuses: [container('compute', false, TERMINATED)] } }),
    );
    world.pass();
    expect(world.status.phase).toBe('Failed');
  });

  test('vmi case 22: pod Running, compute running: Scheduled, node, interfaces and volume status', () => {
    const world = worldOf(
      vmi('Scheduling', { spec: network }),
      pod('Running', { spec: { nodeName: 'node01' }, status: ready }),
    );
    world.pass();
    expect(world.status).toMatchObject({
      phase: 'Scheduled',
      nodeName: 'node01',
      interfaces: [{ name: 'default', podInterfaceName: 'eth0' }],
      volumeStatus: [{ name: 'boot', target: '' }],
    });
    expect(world.vmi.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'node01' });
    expect(world.stamped).toEqual(['Scheduled']);
  });

  test('vmi case 23: an istio-proxy that runs and is not ready holds nothing up', () => {
    const containerStatuses = [container('compute', false, RUNNING), container('istio-proxy', false, RUNNING)];
    const world = worldOf(vmi('Scheduling'), pod('Running', { status: { containerStatuses } }));
    world.pass();
    expect(world.status.phase).toBe('Scheduled');
  });

  test.each([
    ['compute not running', [container('compute', true, { waiting: {} })]],
    ['another container not ready', [container('compute', true, RUNNING), container('sidecar', false, RUNNING)]],
  ])('vmi case 24: %s: stays Scheduling', (_, containerStatuses) => {
    const world = worldOf(vmi('Scheduling'), pod('Running', { status: { containerStatuses } }));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.stamped).toEqual([]);
  });

  test('vmi case 25, 27: PodScheduled False is copied, and not refreshed', () => {
    const world = worldOf(
      vmi('Scheduling'),
      pod('Pending', { conditions: [scheduledFalse('Unschedulable', 'first')] }),
    );
    world.pass();
    world.put(pod('Pending', { conditions: [scheduledFalse('SchedulingGated', 'second')] }));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.status.conditions).toContainEqual({
      ...scheduledFalse('Unschedulable', 'first'),
      lastProbeTime: null,
      lastTransitionTime: null,
    });
  });

  test('vmi case 26: PodScheduled False goes when the pod is scheduled', () => {
    const world = worldOf(
      vmi('Scheduling', { status: { conditions: [scheduledFalse('Unschedulable', '')] } }),
      pod('Pending', { conditions: [{ type: 'PodScheduled', status: 'True' }] }),
    );
    world.pass();
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
  });

  test('vmi case 28: QoS class', () => {
    const world = worldOf(vmi('Scheduling'), pod('Pending', { status: { qosClass: 'Guaranteed' } }));
    world.pass();
    expect(world.status.qosClass).toBe('Guaranteed');
  });

  test.each([undefined, 'Burstable'] as const)('vmi case 29: dedicated CPUs on a pod of class %s', (qosClass) => {
    const spec = { domain: { devices: {}, cpu: { dedicatedCpuPlacement: true } } };
    const world = worldOf(
      vmi('Scheduling', { spec }),
      pod('Running', { status: { ...ready, ...(qosClass && { qosClass }) } }),
    );
    expect(world.pass().type).toBe('done');
    expect(world.events).toEqual(['Warning FailedGuaranteeResources']);
    expect(world.conditions).toContain('Synchronized False FailedGuaranteeResources');
    expect(world.status.phase).toBe('Scheduling');
  });

  test('vmi case 30: image pull errors of init and other containers, replaced and cleared', () => {
    const waiting = (reason: string) => ({ waiting: { reason, message: 'pull' } });
    const world = worldOf(
      vmi('Scheduling'),
      pod('Pending', { status: { initContainerStatuses: [container('init', false, waiting('ErrImagePull'))] } }),
    );
    expect(world.pass().type).toBe('done');
    expect(world.conditions).toContain('Synchronized False ErrImagePull');
    world.put(
      pod('Pending', { status: { containerStatuses: [container('compute', false, waiting('ImagePullBackOff'))] } }),
    );
    world.pass();
    expect(world.conditions).toEqual(['Ready False GuestNotRunning', 'Synchronized False ImagePullBackOff']);
    world.put(pod('Pending'));
    world.pass();
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
    expect(world.status.phase).toBe('Scheduling');
  });

  test('vmi case 31: migration transport', () => {
    const world = worldOf(vmi('Scheduling'), runningPod());
    world.pass();
    expect(world.status.migrationTransport).toBe('Unix');
  });

  test('vmi case 33: deleted with a ready pod: pod deleted, Failed in the next pass, no second DELETE', () => {
    const world = worldOf(vmi('Scheduling', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), runningPod());
    world.pass();
    expect(world.pod.metadata.deletionTimestamp).toBeDefined();
    expect(world.status.phase).toBe('Scheduling');
    world.pass();
    expect(world.status.phase).toBe('Failed');
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
  });

  test.each([
    ['268435456', '256Mi'],
    ['2500', '2500'],
    [undefined, undefined],
    ['lots', undefined],
  ])('vmi case 90: memory overhead %s', (bytes, overhead) => {
    const annotations: Record<string, string> = {};
    if (bytes !== undefined) annotations['kubevirt.io/memory-overhead-bytes'] = bytes;
    const world = worldOf(vmi('Scheduling'), pod('Pending', { metadata: { annotations } }));
    world.pass();
    expect(world.status.memory?.memoryOverhead).toBe(overhead);
  });

  test('VMI-13: interfaces from Multus are in the write that hands over', () => {
    const multus = [{ name: 'default/blue', interface: 'net1' }];
    const spec = {
      domain: { devices: { interfaces: [{ name: 'blue', sriov: {} }] } },
      networks: [{ name: 'blue', multus: { networkName: 'blue' } }],
    };
    const annotations = { 'k8s.v1.cni.cncf.io/network-status': JSON.stringify(multus) };
    const world = worldOf(vmi('Scheduling', { spec }), runningPod({ metadata: { annotations } }));
    world.pass();
    expect(world.status).toMatchObject({
      phase: 'Scheduled',
      interfaces: [{ name: 'blue', podInterfaceName: 'net1', infoSource: 'multus-status' }],
    });
  });
});

test('vmi case 35: a phase that is not known: error, no write', () => {
  const world = worldOf(vmi('Unknown'));
  const before = world.vmi;
  expect(world.pass().type).toBe('retry');
  expect(world.vmi).toEqual(before);
});
