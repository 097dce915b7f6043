import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../functions/core/objects.ts';
import { vmi as controller } from '../../../functions/vmi/reads.ts';
import { reconcile } from '../../../functions/vmi/reconcile.ts';
import { claimProjection } from '../../../functions/vmi/volumes/claim-projection.ts';
import { claim, configuration, pod, virtualMachine, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const CREATE = 'create launcher pod';
const nothing = { one: () => undefined, many: () => [] };

describe('basics (vmi.md 18)', () => {
  test('vmi case 1: VMI not there, key processed: nothing', () => {
    const world = worldOf();
    expect(world.pass()).toEqual({ type: 'done', actions: [] });
  });

  test('vmi case 2: no API version annotation: one PUT with both, no pod', () => {
    const world = worldOf(vmi('', { metadata: { annotations: { 'kubevirt.io/latest-observed-api-version': 'v0' } } }));
    expect(world.pass().type).toBe('done');
    expect(world.vmi.metadata.annotations).toEqual({
      'kubevirt.io/latest-observed-api-version': 'v1',
      'kubevirt.io/storage-observed-api-version': 'v1',
    });
    expect(world.pods).toEqual([]);
    expect(world.status).toEqual({ runtimeUser: 0, guestOSInfo: {} });
  });

  test('vmi case 3: the PUT of case 2 fails: backs off, nothing else in that pass', () => {
    const world = worldOf(vmi('', { metadata: { annotations: { 'kubevirt.io/latest-observed-api-version': '' } } }));
    world.refuse('observe api version', 500, 'no');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry', actions: [] });
    world.refuseNothing();
    world.pass();
    expect(world.vmi.metadata.annotations?.['kubevirt.io/latest-observed-api-version']).toBe('v1');
  });

  test('vmi case 4: a pod was created and is not seen yet: nothing, and no second pod', () => {
    const world = worldOf(vmi('Pending'));
    world.cluster.holdWatch('Pod', 'blind');
    world.pass();
    const before = world.vmi;
    expect(before.status?.phase).toBe('Scheduling');
    for (let i = 0; i < 3; i++) expect(world.pass()).toMatchObject({ type: 'stale', actions: [] });
    expect(world.vmi).toEqual(before);
    world.cluster.releaseWatch('Pod');
    expect(world.settle().type).toBe('done');
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pods).toHaveLength(1);
  });

  test('vmi case 5: after more than 5 min nothing is waited for, and the API is asked', () => {
    const world = worldOf(vmi('Pending'));
    world.cluster.holdWatch('Pod', 'blind');
    world.pass();
    world.later(5 * 60_000 + 1_000);
    expect(world.pass().type).toBe('done');
    expect(world.status.phase).toBe('Scheduling');
  });

  test.each(['own-writes', 'blind'] as const)(
    'vmi cases 12 and 14: the new pod is first seen when it is being deleted (%s): no second pod, no deletion',
    (view) => {
      const world = worldOf(vmi('Pending'));
      world.cluster.holdWatch('Pod', view);
      const create = world.pass().actions.find((a) => a.verb === 'create');
      if (create === undefined) throw new Error('no pod was created');
      world.changePod(create.object as Pod, (p) => {
        p.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
        p.spec.nodeName = 'node01';
      });
      world.pass();
      world.cluster.releaseWatch('Pod');
      world.settle();
      expect(world.pods).toHaveLength(1);
      expect(world.status.phase).toBe('Failed');
      expect(world.events).toEqual(['Normal SuccessfulCreate']);
    },
  );

  test('an open expectation holds nothing back once its pod is seen', () => {
    const instance = vmi('Pending');
    const own = pod('Pending');
    const outcome = reconcile(
      {
        key: 'default/testvmi',
        primary: instance,
        reads: {
          pods: [own],
          owner: undefined,
          claims: [],
          claimPhases: [],
          stateClaims: [],
          storageClasses: [],
          storageProfiles: [],
          cdis: [],
          cdiConfig: undefined,
          dataVolumes: [],
          attachments: [],
          migrations: [],
          quotas: [],
          namespace: undefined,
          networkAttachments: [],
          sidecarConfigMaps: [],
          tscNodes: [],
          tscOccupants: [],
          vsockHolders: [],
        },
      },
      undefined,
      {
        nowMs: 0,
        configuration,
        token: 1,
        expectations: [{ id: CREATE, kind: 'Pod', resourceVersion: '999', since: 0 }],
        results: [],
        failures: 0,
      },
    );
    expect(outcome).toMatchObject({
      type: 'done',
      actions: [{ verb: 'update', object: { status: { phase: 'Scheduling' } } }],
    });
  });

  test.each(['', 'Pending'])(
    'vmi case 6: VMI in phase "%s": pod, event, unpaused condition, Scheduling (VMI-14)',
    (phase) => {
      const world = worldOf(vmi(phase));
      expect(world.pass().type).toBe('done');
      expect(world.pod.metadata).toMatchObject({
        generateName: 'virt-launcher-testvmi-',
        name: expect.stringMatching(/^virt-launcher-testvmi-[a-z0-9]{5}$/) as unknown,
        namespace: 'default',
        annotations: { 'descheduler.alpha.kubernetes.io/request-evict-only': '' },
        ownerReferences: [{ kind: 'VirtualMachineInstance', name: 'testvmi', uid: '1234', controller: true }],
      });
      expect(world.pod.status?.conditions).toMatchObject([
        { type: 'kubevirt.io/virtual-machine-unpaused', status: 'True', reason: 'NotPaused' },
      ]);
      expect(world.events).toEqual(['Normal SuccessfulCreate']);
      expect(world.status.phase).toBe('Scheduling');
      expect(world.stamped).toEqual(['Scheduling']);
      expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
    },
  );

  test('vmi case 7: Synchronized goes once the POST succeeds', () => {
    const old = { type: 'Synchronized', status: 'False', reason: 'FailedCreate', lastProbeTime: null };
    const world = worldOf(vmi('Pending', { status: { conditions: [old] } }));
    world.pass();
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
  });

  test.each([
    [8, 500, 'no luck', /no luck/],
    [9, 403, 'violates PodSecurity "restricted:latest"', /privileged/],
    [10, 403, 'exceeded quota: q', /exceeded quota/],
  ])('vmi case %i: POST refused with %i', (_, code, message, told) => {
    const world = worldOf(vmi('Pending'));
    world.refuse(CREATE, code, message);
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.events).toEqual(['Warning FailedCreate']);
    expect(world.cluster.events[0]?.message).toMatch(told);
    expect(world.conditions).toEqual(['Ready False PodNotExists', 'Synchronized False FailedCreate']);
    expect(world.status.phase).toBe('Pending');
    world.refuseNothing();
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
  });

  test('vmi case 10: a POST refused again and again is one condition with its first time', () => {
    const world = worldOf(vmi('Pending'));
    world.refuse(CREATE, 403, 'exceeded quota: q');
    world.pass();
    world.pass();
    const before = world.vmi;
    for (let i = 0; i < 4; i++) {
      world.later(16_000);
      world.pass();
    }
    expect(world.vmi).toEqual(before);
  });

  test('vmi case 11: pod created, VMI changed meanwhile: Scheduling in the next pass, no second pod', () => {
    const world = worldOf(vmi('Pending'));
    world.cluster.holdWatch('VirtualMachineInstance');
    world.changeVmi((v) => (v.metadata.labels = { touched: 'yes' }));
    world.pass();
    expect(world.pods).toHaveLength(1);
    expect(world.status.phase).toBe('Pending');
    world.cluster.releaseWatch('VirtualMachineInstance');
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pods).toHaveLength(1);
    expect(world.events).toEqual(['Normal SuccessfulCreate']);
  });

  test('VMI-05: a pod that only the API knows is neither doubled nor ignored', () => {
    const world = worldOf(vmi('Pending'));
    world.cluster.holdWatch('Pod');
    world.put(pod('Pending'));
    world.pass();
    world.cluster.releaseWatch('Pod');
    expect(world.pods).toHaveLength(1);
    expect(world.status.phase).toBe('Pending');
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pods).toHaveLength(1);
  });

  test('the write of the VMI fails: backs off without touching the pod again', () => {
    const world = worldOf(vmi('Pending'));
    world.refuse('write vmi', 500, 'no');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry', actions: [] });
    world.refuseNothing();
    world.settle();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pods).toHaveLength(1);
    expect(world.events).toEqual(['Normal SuccessfulCreate']);
  });

  test('vmi case 16: a pod of an earlier VMI of that name is not ours', () => {
    const other = pod('Running', {
      name: 'old',
      metadata: {
        labels: { 'kubevirt.io/created-by': 'old-uid' },
        ownerReferences: [
          {
            apiVersion: 'kubevirt.io/v1',
            kind: 'VirtualMachineInstance',
            name: 'testvmi',
            uid: 'old-uid',
            controller: true,
          },
        ],
      },
    });
    const world = worldOf(vmi('Pending'), other);
    world.settle();
    expect(world.pods).toHaveLength(2);
    expect(Object.keys(world.status.activePods ?? {})).toHaveLength(1);
  });
});

describe('checks before the POST (vmi.md 6.4)', () => {
  test('vmi case 36: a discontinued network binding', () => {
    const interfaces = [{ name: 'default', slirp: {} }];
    const world = worldOf(
      vmi('Pending', { spec: { domain: { devices: { interfaces } }, networks: [{ name: 'default', pod: {} }] } }),
    );
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False FailedCreateValidation');
    expect(world.pods).toEqual([]);
    expect(world.events).toEqual([]);
  });

  const containerPath = {
    domain: { devices: { filesystems: [{ name: 'token-volume', virtiofs: {} }] } },
    volumes: [{ name: 'token-volume', containerPath: { path: '/var/run/secrets' } }],
  };

  test('vmi case 37: container path volume with the gate off', () => {
    const world = worldOf(vmi('Pending', { spec: containerPath }));
    expect(world.pass().type).toBe('retry');
    expect(world.events).toEqual(['Warning ContainerPathVolumesDisabled']);
    expect(world.conditions).toContain('Synchronized False ContainerPathVolumesDisabled');
    expect(world.pods).toEqual([]);
  });

  test('vmi case 38: pod without the virtiofs container: event and reason, nothing else on the pod', () => {
    const bare = pod('Running', {
      metadata: { annotations: { 'descheduler.alpha.kubernetes.io/request-evict-only': 'x' } },
    });
    const world = worldOf(vmi('Scheduling', { spec: containerPath }), bare);
    expect(world.pass().type).toBe('retry');
    expect(world.events).toEqual(['Warning MissingVirtiofsContainers']);
    expect(world.conditions).toContain('Synchronized False MissingVirtiofsContainers');
    expect(world.pod.metadata.annotations).toMatchObject({ 'descheduler.alpha.kubernetes.io/request-evict-only': 'x' });
  });

  test('vmi case 116: arm64 VMI with invtsc: no hints needed, pod at once', () => {
    const cpu = { features: [{ name: 'invtsc', policy: 'require' }] };
    const world = worldOf(vmi('Pending', { spec: { architecture: 'arm64', domain: { devices: {}, cpu } } }));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.status.topologyHints).toBeUndefined();
  });

  test('vmi case 130: Multus network with a missing definition: not read, pod created', () => {
    const world = worldOf(
      vmi('Pending', {
        spec: {
          domain: { devices: { interfaces: [{ name: 'blue', bridge: {} }] } },
          networks: [{ name: 'blue', multus: { networkName: 'absent' } }],
        },
      }),
    );
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
  });
});

describe('claims (vmi.md 5)', () => {
  const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }];

  test('vmi case 48: a claim without a DataVolume: pod created whatever its phase', () => {
    const world = worldOf(
      vmi('Pending', { spec: { domain: { devices: {} }, volumes } }),
      claim('disk', { status: { phase: 'Pending' } }),
    );
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
  });

  test('vmi case 49: claim missing: event, three conditions, no back-off, no doubles (VMI-08)', () => {
    const world = worldOf(vmi('', { spec: { domain: { devices: {} }, volumes } }));
    expect(world.pass().type).toBe('done');
    expect(world.events).toEqual(['Normal FailedPvcNotFound']);
    const three = [
      'PodScheduled False Unschedulable',
      'Ready False PodNotExists',
      'Synchronized False FailedPvcNotFound',
    ];
    expect(world.conditions).toEqual(three);
    const before = world.vmi;
    world.pass();
    expect(world.vmi).toEqual(before);
    expect(world.conditions).toEqual(three);
    expect(world.events).toEqual(['Normal FailedPvcNotFound']);
    expect(world.pods).toEqual([]);
  });

  test('vmi case 126: claim created later: pod, Synchronized gone at once, PodScheduled in the next pass', () => {
    const world = worldOf(vmi('', { spec: { domain: { devices: {} }, volumes } }));
    world.settle();
    world.put(claim('disk'));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.conditions).toEqual(['PodScheduled False Unschedulable', 'Ready False GuestNotRunning']);
    world.pass();
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
    expect(world.stamped).toEqual(['Pending', 'Scheduling']);
  });

  test('an ephemeral volume without its claim fails at rendering: Warning, no back-off', () => {
    const ephemeral = [{ name: 'e', ephemeral: { persistentVolumeClaim: { claimName: 'gone' } } }];
    const world = worldOf(vmi('Pending', { spec: { domain: { devices: {} }, volumes: ephemeral } }));
    expect(world.pass().type).toBe('done');
    expect(world.events).toEqual(['Warning FailedPvcNotFound']);
    expect(world.conditions).toContain('Synchronized False FailedPvcNotFound');
    world.put(claim('gone'));
    world.settle();
    expect(world.status.phase).toBe('Scheduling');
  });
});

describe('receivers of decentralized migrations', () => {
  const annotations = { 'kubevirt.io/create-migration-target': 'true' };

  test.each(['', 'Pending'])('vmi case 110: receiver in phase "%s" waits, no pod is created here', (phase) => {
    const world = worldOf(vmi(phase, { metadata: { annotations } }));
    world.pass();
    expect(world.status.phase).toBe('WaitingForSync');
    expect(world.pods).toEqual([]);
  });

  test.each([
    ['Failed', undefined],
    ['Succeeded', undefined],
    ['Running', { failed: true }],
  ])('vmi case 111: Scheduled receiver, pod %s, migration %o: waits again', (podPhase, migrationState) => {
    const world = worldOf(
      vmi('Scheduled', { metadata: { annotations }, status: { ...(migrationState && { migrationState }) } }),
      pod(podPhase),
    );
    world.pass();
    expect(world.status.phase).toBe('WaitingForSync');
  });

  test('vmi case 112: Scheduling receiver, pod down or missing: waits again', () => {
    for (const objects of [[], [pod('Failed')]]) {
      const world = worldOf(vmi('Scheduling', { metadata: { annotations } }), ...objects);
      world.pass();
      expect(world.status.phase).toBe('WaitingForSync');
    }
  });

  test('vmi case 113: waiting receiver goes on with a healthy pod only', () => {
    for (const [object, state, phase] of [
      [pod('Failed'), {}, 'WaitingForSync'],
      [pod('Running'), { failed: true }, 'WaitingForSync'],
      [pod('Running'), {}, 'Scheduling'],
    ] as const) {
      const world = worldOf(
        vmi('WaitingForSync', { metadata: { annotations }, status: { migrationState: state } }),
        object,
      );
      world.pass();
      expect(world.status.phase).toBe(phase);
    }
  });
});

describe('what is read', () => {
  test('the owner VM by controller reference, only that it is there', () => {
    const ownerReferences = [
      { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'testvmi', uid: 'vm', controller: true },
    ];
    const instance = vmi('Pending', { metadata: { ownerReferences } });
    const { owner } = controller.reads;
    expect(owner.lookup(instance, nothing, 'default/testvmi')).toBe('default/testvmi');
    expect(owner.project?.(virtualMachine('testvmi', 'vm'))).toMatchObject({ metadata: { uid: 'vm' }, spec: {} });
  });

  test('vmi case 53: a claim is seen without its phase, with capacity and request (VMI-11)', () => {
    const seen = (object: ReturnType<typeof claim>) => claimProjection(object);
    const pending = seen(claim('disk', { status: { phase: 'Pending' } }));
    expect(seen(claim('disk', { status: { phase: 'Bound' } }))).toEqual(pending);
    expect(seen(claim('disk', { metadata: { name: 'disk', namespace: 'default', labels: { a: 'b' } } }))).toEqual(
      pending,
    );
    expect(seen(claim('disk', { status: { capacity: { storage: '2Gi' } } }))).not.toEqual(pending);
    expect(seen(claim('disk', { spec: { resources: { requests: { storage: '2Gi' } } } }))).not.toEqual(pending);
  });

  test('the annotation that skips backup hooks brings every VMI back', () => {
    expect(controller.revisitWhen?.(configuration)).toBe('');
    expect(controller.revisitWhen?.({ ...configuration, skipBackupHooks: 'true' })).toBe('true');
  });
});
