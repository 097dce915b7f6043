import { describe, expect, test } from 'vitest';
import { VirtualMachineInstance as VmiKind } from '../../../functions/core/kinds.ts';
import type { PersistentVolumeClaim, Pod } from '../../../functions/core/objects.ts';
import { testEachDisturbance } from '../model/disturbances.ts';
import {
  bound,
  claim,
  container,
  dataVolume,
  filledClaim,
  handedOver,
  hotplug,
  RUNNING,
  runningPod,
  SERVING,
  vmi,
} from './fixtures.ts';
import type { World } from './world.ts';
import { worldOf } from './worlds.ts';

const TEMPORARY = 'kubevirt.io/ephemeral-provisioning';
const isTemporary = (p: Pod) => p.metadata.annotations?.[TEMPORARY] !== undefined;
const isLauncher = (p: Pod) => p.metadata.labels?.['kubevirt.io'] === 'virt-launcher';
const attaches = (p: Pod) =>
  p.spec.volumes?.flatMap((v) => (v.persistentVolumeClaim === undefined ? [] : [v.name])) ?? [];

function the(world: World, which: (pod: Pod) => boolean): Pod {
  const [only, second] = world.pods.filter(which);
  if (only === undefined || second !== undefined) throw new Error('not one such pod');
  return only;
}
const launcher = (world: World) => the(world, isLauncher);

function run(world: World, pod: Pod, status: Pod['status'] = {}): void {
  world.changePod(pod, (p) => {
    p.spec.nodeName = 'node01';
    p.status = { ...p.status, phase: 'Running', ...status };
  });
}
/** What a kubelet does for attachment pods: all that are there run. */
function runHotplugPods(world: World): void {
  for (const pod of world.hotplugPods) run(world, pod, SERVING);
}
function stateClaims(world: World): readonly PersistentVolumeClaim[] {
  const claims = world.cluster.cached('PersistentVolumeClaim') as PersistentVolumeClaim[];
  return claims.filter((c) => c.metadata.labels?.['persistent-state-for'] !== undefined);
}

/** What the node agent tells of a volume. */
function tell(world: World, name: string, phase: string): void {
  world.changeVmi((v) => {
    for (const entry of v.status?.volumeStatus ?? []) if (entry.name === name) entry.phase = phase as never;
  });
}
function unplug(world: World, ...names: string[]): void {
  world.changeVmi((v) => (v.spec.volumes = v.spec.volumes?.filter((volume) => !names.includes(volume.name))));
}

type Steps = readonly (readonly [string, (world: World) => void])[];

const beginning: Steps = [
  ['a VMI with state, on a DataVolume that waits for its first consumer', () => undefined],
  [
    'the temporary pod has its claims bound',
    (world) => {
      run(world, the(world, isTemporary), {});
      world.put(dataVolume('late', 'ImportInProgress'));
      world.put(filledClaim('late', { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }));
    },
  ],
  ['the import is done', (world) => world.put(dataVolume('late', 'Succeeded', 'True'))],
  [
    'the launcher runs',
    (world) => run(world, launcher(world), { containerStatuses: [container('compute', true, RUNNING)] }),
  ],
  ['the VMI is deleted', (world) => world.cluster.delete(VmiKind, 'testvmi', 'default')],
  ['its pod has ended', (world) => world.removePod(launcher(world))],
];

const plugging: Steps = [
  ['a volume is plugged in', (world) => world.changeVmi((v) => v.spec.volumes?.push(hotplug('a')))],
  ['its pod runs', runHotplugPods],
  ['the guest has it', (world) => tell(world, 'a', 'Ready')],
  [
    'another one is plugged in, and one that waits for its first consumer',
    (world) =>
      world.changeVmi((v) =>
        v.spec.volumes?.push(hotplug('b'), { name: 'late', dataVolume: { name: 'late', hotpluggable: true } }),
      ),
  ],
  [
    'their pods run, and the one that waited is filled',
    (world) => {
      runHotplugPods(world);
      world.put(dataVolume('late', 'Succeeded', 'True'));
      world.put(filledClaim('late', { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }));
    },
  ],
  ['the pod that holds all runs', runHotplugPods],
  [
    'two are unplugged while the guest still has one of them',
    (world) => {
      tell(world, 'late', 'MountedToPod');
      unplug(world, 'a', 'late');
    },
  ],
  [
    'the guest has let go of both',
    (world) => {
      tell(world, 'a', 'UnMountedFromPod');
      tell(world, 'late', 'UnMountedFromPod');
    },
  ],
  ['the pod of the last one runs', runHotplugPods],
  ['it is unplugged', (world) => unplug(world, 'b')],
];

const late = [filledClaim('late', { status: { phase: 'Pending' } }), dataVolume('late', 'WaitForFirstConsumer')];

function beginningWorld(): World {
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'late', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const firmware = { bootloader: { efi: { persistent: true } } };
  const volumes = [{ name: 'boot', dataVolume: { name: 'late' } }];
  return worldOf(vmi('', { spec: { domain: { devices: {}, firmware }, volumes } }), storageClass, ...late);
}

function pluggingWorld(): World {
  const instance = handedOver('Running', {
    spec: { domain: { devices: {} }, volumes: [] },
    status: { selinuxContext: 'none' },
  });
  return worldOf(instance, runningPod(), bound('a'), bound('b'), ...late, claim('unrelated'));
}

/** Claims are bound as soon as a pod mounts them, as a storage class has it; no claim of a VMI's state is ever a second one. */
function provision(world: World): void {
  const claims = stateClaims(world);
  expect(claims.length).toBeLessThanOrEqual(1);
  for (const c of claims) if (c.status?.phase === undefined) world.put({ ...c, status: { phase: 'Pending' } });
}

function live(
  world: World,
  steps: Steps,
  disturb: (world: World, step: number) => void = () => undefined,
): readonly unknown[] {
  return steps.map(([, act], step) => {
    act(world);
    disturb(world, step);
    for (let i = 0; i < 3; i++) {
      world.settle();
      provision(world);
    }
    world.settle();
    expect(world.pods.filter((p) => isLauncher(p) && !isTemporary(p)).length).toBeLessThanOrEqual(1);
    return {
      phase: world.hasVmi ? world.status.phase : 'gone',
      conditions: world.hasVmi ? world.conditions : [],
      launchers: world.pods.filter(isLauncher).map((p) => [isTemporary(p), p.status?.phase]),
      attached: world.hotplugPods.map((p) => [isTemporary(p), ...attaches(p)].join(' ')).sort(),
      volumes: world.hasVmi ? (world.status.volumeStatus ?? []).map((v) => [v.name, v.phase, v.reason]) : [],
      attachedBy: world.hasVmi ? attachers(world) : [],
      stateClaims: stateClaims(world).length,
    };
  });
}

/** Each hotplugged volume with what the pod of its status attaches. */
function attachers(world: World): readonly unknown[] {
  return (world.status.volumeStatus ?? []).flatMap(({ name, hotplugVolume }) => {
    if (hotplugVolume === undefined) return [];
    const pod = world.hotplugPods.find((p) => p.metadata.name === hotplugVolume.attachPodName);
    return [[name, pod === undefined ? 'none' : attaches(pod), hotplugVolume.attachPodUID === pod?.metadata.uid]];
  });
}

const lagging = ['Pod', 'PersistentVolumeClaim', 'DataVolume'].flatMap((kind) =>
  (['own-writes', 'blind'] as const).map((view) => [kind, view] as const),
);
const lives: readonly (readonly [string, () => World, Steps, readonly object[]])[] = [
  [
    'claims, DataVolume and state',
    beginningWorld,
    beginning,
    [
      { phase: 'Pending', launchers: [[true, 'Pending']], stateClaims: 1 },
      { phase: 'Pending' },
      { phase: 'Scheduling', launchers: [[false, 'Pending']] },
      { phase: 'Scheduled' },
      { phase: 'Scheduled' },
      { phase: 'gone', stateClaims: 1 },
    ],
  ],
  [
    'hotplug',
    pluggingWorld,
    plugging,
    [
      { attached: ['false a'] },
      { attachedBy: [['a', ['a'], true]] },
      { attached: ['false a'] },
      { attached: ['false a', 'false a b', 'true late'] },
      {},
      { attached: ['false a b late'] },
      { attached: ['false a b late', 'false b'] },
      { attached: ['false a b late', 'false b'] },
      { attached: ['false b'] },
      { phase: 'Running', attached: [] },
    ],
  ],
];

describe.each(lives)(
  '%s: one disturbed pass leads to the same end (design 8, invariant 2)',
  (_, begin, steps, ends) => {
    const undisturbed = live(begin(), steps);

    test('the life itself', () => {
      expect(undisturbed).toMatchObject(ends);
    });

    testEachDisturbance<World>(steps.length, (disturb) => live(begin(), steps, disturb), undisturbed);

    test.each(lagging)('the watch of %s lags behind for some passes: %s', (kind, view) => {
      const end = live(begin(), steps, (world) => {
        world.cluster.holdWatch(kind, view);
        for (let i = 0; i < 3; i++) world.pass();
        world.cluster.releaseWatch(kind);
      });
      expect(end).toEqual(undisturbed);
    });
  },
);
