import { describe, expect, test } from 'vitest';
import { configuration, handedOver, runningPod, UNPAUSED, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const SPACE = 'custom/x';
const READY_TRUE = { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-01-02T03:04:05Z' };

function withProcess(extra: Partial<typeof configuration.process>) {
  return { ...configuration, process: { ...configuration.process, ...extra } };
}

describe('Scheduled and Running (vmi.md 8.3, 10.1)', () => {
  test.each(['Pending', 'Running', 'Unknown', 'Succeeded', 'Failed'])(
    'vmi case 73: Scheduled, pod %s, everything in line: no call',
    (phase) => {
      const base = runningPod();
      const world = worldOf(handedOver('Scheduled'), {
        ...base,
        status: { ...base.status, phase: phase as 'Running' },
      });
      world.settle();
      expect(world.pass()).toEqual({ type: 'done', actions: [] });
      expect(world.status.phase).toBe('Scheduled');
    },
  );

  test.each(['Scheduled', 'Running'] as const)('vmi case 74: %s, no pod: Failed by patch (VMI-06)', (phase) => {
    const world = worldOf(handedOver(phase));
    expect(world.pass().actions).toMatchObject([{ verb: 'patch', patch: { type: 'json' } }]);
    expect(world.status.phase).toBe('Failed');
    expect(world.conditions).toEqual(['Ready False PodNotExists']);
    expect(world.stamped).toEqual([]);
  });

  test('vmi case 75: Running, pod only on another node: counts as none', () => {
    const world = worldOf(handedOver('Running'), runningPod({ spec: { nodeName: 'node02' } }));
    world.pass();
    expect(world.status.phase).toBe('Failed');
  });

  test("vmi case 75: not if the API knows one on the VMI's node", () => {
    const world = worldOf(handedOver('Running'), runningPod({ spec: { nodeName: 'node02' } }));
    world.cluster.holdWatch('Pod');
    world.put(runningPod({ name: 'here', metadata: { labels: { 'kubevirt.io/nodeName': '' } } }));
    world.pass();
    expect(world.status.phase).toBe('Running');
    world.cluster.releaseWatch('Pod');
  });

  test("vmi case 76: several pods, the one on the VMI's node is current", () => {
    const world = worldOf(
      handedOver('Running'),
      runningPod({ name: 'a', spec: { nodeName: 'node02' } }),
      runningPod({ name: 'b', conditions: [READY_TRUE] }),
      runningPod({ name: 'c', spec: { nodeName: 'node03' }, metadata: { creationTimestamp: '2099-01-01T00:00:00Z' } }),
    );
    world.pass();
    expect(world.status.phase).toBe('Running');
    expect(world.conditions).toEqual(['Ready True']);
    expect(world.status.activePods).toEqual({ 'uid-a': 'node02', 'uid-b': 'node01', 'uid-c': 'node03' });
  });

  test("vmi case 77: Ready True with the pod's times", () => {
    const world = worldOf(handedOver('Running'), runningPod({ conditions: [READY_TRUE] }));
    world.pass();
    expect(world.status.conditions).toEqual([READY_TRUE]);
  });

  test('vmi case 78: pod being deleted: Ready False PodTerminating only', () => {
    const world = worldOf(
      handedOver('Running'),
      runningPod({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    );
    world.pass();
    expect(world.status.phase).toBe('Running');
    expect(world.conditions).toEqual(['Ready False PodTerminating']);
  });

  test('vmi case 79: Synchronized of virt-handler is left alone (VMI-09)', () => {
    const conditions = [{ type: 'Synchronized', status: 'False', reason: 'X' }];
    const world = worldOf(handedOver('Scheduled', { status: { conditions } }), runningPod());
    world.pass();
    expect(world.conditions).toEqual(['Ready False GuestNotRunning', 'Synchronized False X']);
  });

  test('vmi case 80: outdated launcher image on VMI and pod, and back', () => {
    const world = worldOf(
      handedOver('Running'),
      runningPod({ spec: { containers: [{ name: 'compute', image: 'old' }] } }),
    );
    world.settle();
    expect(world.vmi.metadata.labels).toHaveProperty(['kubevirt.io/outdatedLauncherImage'], '');
    expect(world.pod.metadata.labels).toHaveProperty(['kubevirt.io/outdatedLauncherImage'], '');
    expect(world.status.launcherContainerImageVersion).toBe('old');
    world.configuration = withProcess({ launcherImage: 'old' });
    world.settle();
    expect(world.vmi.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'node01' });
    expect(world.pod.metadata.labels).not.toHaveProperty(['kubevirt.io/outdatedLauncherImage']);
  });

  test('vmi case 125: Running, launcher pod Failed: stays Running, Ready False PodTerminating, nothing else', () => {
    const world = worldOf(handedOver('Running'), {
      ...runningPod(),
      status: { phase: 'Failed', conditions: [UNPAUSED] },
    });
    world.settle();
    expect(world.status.phase).toBe('Running');
    expect(world.conditions).toEqual(['Ready False PodTerminating']);
    expect(world.events).toEqual([]);
  });

  test('vmi case 132: pod Ready False without reason: VMI the same, phase stays', () => {
    const world = worldOf(handedOver('Running'), runningPod({ conditions: [{ type: 'Ready', status: 'False' }] }));
    world.pass();
    expect(world.status.phase).toBe('Running');
    expect(world.status.conditions).toEqual([
      { type: 'Ready', status: 'False', lastProbeTime: null, lastTransitionTime: null },
    ]);
  });

  test('pod without a Ready condition', () => {
    const world = worldOf(handedOver('Running'), runningPod());
    world.pass();
    expect(world.conditions).toEqual(['Ready False PodConditionMissing']);
  });

  test('a decentralized migration that is over makes the source Succeeded', () => {
    const migrationState = { completed: true, sourceState: {}, targetState: { syncAddress: '192.0.2.1:9185' } };
    const world = worldOf(handedOver('Running', { status: { migrationState } }), {
      ...runningPod(),
      status: { phase: 'Succeeded', conditions: [UNPAUSED] },
    });
    world.pass();
    expect(world.status.phase).toBe('Succeeded');
  });
});

describe('the pod follows the VMI', () => {
  test.each([
    ['True', [UNPAUSED], 'False', 'Paused'],
    ['True', [], undefined, undefined],
    ['False', [], 'True', 'NotPaused'],
    ['False', [{ ...UNPAUSED, status: 'False', reason: 'Paused' }], 'True', 'NotPaused'],
  ])('vmi case 81: Paused %s, pod %o: %s %s', (paused, conditions, status, reason) => {
    const base = runningPod();
    const world = worldOf(handedOver('Running', { status: { conditions: [{ type: 'Paused', status: paused }] } }), {
      ...base,
      status: { ...base.status, conditions },
    });
    world.settle();
    const found = world.pod.status?.conditions?.find((c) => c.type === UNPAUSED.type);
    expect([found?.status, found?.reason]).toEqual([status, reason]);
  });

  test('vmi case 82: evacuation marks the current pod and the VMI, and is unmarked', () => {
    const target = runningPod({ name: 'target', spec: { nodeName: 'node02' } });
    const world = worldOf(handedOver('Running', { status: { evacuationNodeName: 'node01' } }), runningPod(), target);
    world.settle();
    const mark = 'descheduler.alpha.kubernetes.io/eviction-in-progress';
    expect(world.pods.map((p) => p.metadata.annotations?.[mark])).toEqual(['true', undefined]);
    expect(world.conditions).toContain('EvictionRequested True EvictionRequested');
    const current = world.pods[0];
    if (current !== undefined)
      world.changePod(current, (p) => (p.metadata.annotations = { ...p.metadata.annotations, [mark]: 'any' }));
    world.changeVmi((v) => delete v.status?.evacuationNodeName);
    world.settle();
    expect(world.pods.map((p) => p.metadata.annotations?.[mark])).toEqual([undefined, undefined]);
    expect(world.conditions.some((c) => c.startsWith('EvictionRequested'))).toBe(false);
  });

  test('vmi case 83: request-evict-only is put back, only that', () => {
    const bare = runningPod();
    delete bare.metadata.annotations?.['descheduler.alpha.kubernetes.io/request-evict-only'];
    const world = worldOf(handedOver('Running'), bare);
    world.settle();
    expect(world.pod.metadata.annotations).toEqual(runningPod().metadata.annotations);
  });

  test('a pod patch that fails is retried, the status is written all the same (vmi.md 6.7)', () => {
    const world = worldOf(handedOver('Running', { status: { evacuationNodeName: 'node01' } }), runningPod());
    world.refuse('pod eviction mark', 500, 'no');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('EvictionRequested True EvictionRequested');
    expect(world.conditions.some((c) => c.startsWith('Synchronized'))).toBe(false);
  });

  test.each([
    [{ 'kubevirt.io/nodeName': 'node02' }, 'node01'],
    [{ 'kubevirt.io/nodeName': 'node01' }, 'node01'],
  ])('vmi case 84: node label of the pod %o becomes %s', (labels, expected) => {
    const world = worldOf(handedOver('Running'), runningPod({ metadata: { labels } }));
    world.settle();
    expect(world.pod.metadata.labels?.['kubevirt.io/nodeName']).toBe(expected);
  });

  test('vmi case 84: VMI lacks the node label: removed from the pod', () => {
    const world = worldOf(vmi('Running', { status: { nodeName: 'node01' } }), runningPod());
    world.settle();
    expect(world.pod.metadata.labels).toEqual({ 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': '1234' });
  });

  test('vmi case 85: wildcards', () => {
    const labels = { [`${SPACE}/one`]: '1', [`${SPACE}/two`]: '2' };
    const world = worldOf(
      handedOver('Running', { metadata: { labels } }),
      runningPod({ metadata: { labels: { [`${SPACE}/stale`]: 'x' } } }),
    );
    world.configuration = withProcess({ additionalLauncherLabelsSync: ['custom/x/*', '*', ''] });
    const onPod = () => Object.entries(world.pod.metadata.labels ?? {}).filter(([k]) => k.startsWith(SPACE));
    world.settle();
    expect(onPod()).toEqual(Object.entries(labels));
    world.changeVmi((v) => (v.metadata.labels = { 'kubevirt.io/nodeName': 'node01' }));
    world.settle();
    expect(onPod()).toEqual([]);
  });

  test.each([
    ['TRUE', undefined, false],
    ['invalid', undefined, true],
    ['false', 'true', true],
    [undefined, 'true', false],
    [undefined, undefined, true],
  ])('vmi case 86: skip on VMI %s, on KubeVirt %s: hooks %s', (onVmi, onKubeVirt, present) => {
    const annotations: Record<string, string> = onVmi === undefined ? {} : { 'kubevirt.io/skip-backup-hooks': onVmi };
    const world = worldOf(handedOver('Running', { metadata: { annotations } }), runningPod());
    world.configuration = { ...configuration, ...(onKubeVirt === undefined ? {} : { skipBackupHooks: onKubeVirt }) };
    world.settle();
    const hooks = Object.keys(world.pod.metadata.annotations ?? {}).filter((k) => k.includes('velero'));
    expect(hooks).toHaveLength(present ? 5 : 0);
  });

  test.each(['pod metadata', 'pod paused condition'])('vmi case 87: "%s" fails: no VMI write, backs off', (id) => {
    const base = runningPod({ metadata: { labels: { 'kubevirt.io/nodeName': 'other' } } });
    const world = worldOf(handedOver('Running'), { ...base, status: { ...base.status, conditions: [] } });
    const before = world.vmi;
    world.refuse(id, 500, 'no');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.vmi).toEqual(before);
  });
});

describe('changes of a running guest (vmi.md 8.3, Running)', () => {
  test.each([
    ['2', '4Gi', '2Gi', true],
    ['2', '2Gi', '2048Mi', false],
    ['2', '2Gi', undefined, true],
  ])('vmi case 89: ratio %s, guest %s, requested %s', (ratio, guest, guestRequested, changed) => {
    const world = worldOf(
      handedOver('Running', {
        spec: { domain: { devices: {}, memory: { guest, maxGuest: '8Gi' } } },
        status: { memory: guestRequested === undefined ? { guestAtBoot: '1Gi' } : { guestRequested } },
      }),
      runningPod(),
    );
    world.configuration = {
      ...configuration,
      kubevirt: { ...configuration.kubevirt, additionalGuestMemoryOverheadRatio: ratio },
    };
    world.pass();
    expect(world.conditions.includes('HotMemoryChange True')).toBe(changed);
    expect(world.vmi.metadata.labels?.['kubevirt.io/memory-hotplug-overhead-ratio']).toBe(changed ? ratio : undefined);
  });

  test.each([
    [4, true],
    [0, false],
  ])('vmi case 91: sockets changed, maxSockets %i', (maxSockets, changed) => {
    const world = worldOf(
      handedOver('Running', {
        spec: { domain: { devices: {}, cpu: { cores: 1, sockets: 2, threads: 1, maxSockets } } },
        status: { currentCPUTopology: { cores: 1, sockets: 1, threads: 1 } },
      }),
      runningPod(),
    );
    world.pass();
    expect(world.conditions.includes('HotVCPUChange True')).toBe(changed);
  });

  test('a claim that is not the source of a migrated volume: VolumesChange', () => {
    const world = worldOf(
      handedOver('Running', {
        spec: { domain: { devices: {} }, volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'new' } }] },
        status: { migratedVolumes: [{ volumeName: 'd', sourcePVCInfo: { claimName: 'old' } }] },
      }),
      runningPod({ spec: { volumes: [{ name: 'd' }] } }),
    );
    world.pass();
    expect(world.conditions).toContain('VolumesChange True');
  });
});
