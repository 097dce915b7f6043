import fc from 'fast-check';
import { DataVolume, PersistentVolumeClaim } from '../../../functions/core/kinds.ts';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { testSteadiness } from './steadiness.ts';
import { createClaim, createNamespace, dataVolumeTemplate, fill } from './storage.ts';
import { NAMESPACE, templateSpec, World } from './world.ts';

type Spec = VirtualMachineInstance['spec'];
type Interface = NonNullable<Spec['domain']['devices']['interfaces']>[number];
type Status = NonNullable<VirtualMachineInstance['status']>;

/** What the user changes in the template, what the agents report, what happens to storage. */
type Stimulus =
  | { readonly type: 'sockets'; readonly sockets: number }
  | { readonly type: 'guest'; readonly guest: string }
  | { readonly type: 'placement'; readonly zone: string | undefined }
  | { readonly type: 'disk'; readonly claim: string | undefined }
  | { readonly type: 'root'; readonly claim: string }
  | { readonly type: 'interface'; readonly state: 'none' | 'absent' | 'down' | 'up' }
  | { readonly type: 'annotation'; readonly value: string | undefined }
  | { readonly type: 'add' | 'remove' | 'restart' | 'migrating' | 'running' | 'plugged' | 'stop' | 'start' }
  | { readonly type: 'volumes-change'; readonly status: string }
  | { readonly type: 'dump'; readonly phase: string }
  | { readonly type: 'claim'; readonly name: string }
  | { readonly type: 'import'; readonly phase: string };

const claims = ['root', 'other', 'third'];
const kind = <T extends string>(type: T) => fc.constant(type);
const stimulus: fc.Arbitrary<Stimulus> = fc.oneof(
  fc.record({ type: kind('sockets'), sockets: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: kind('guest'), guest: fc.constantFrom('1Gi', '2Gi', '1025Mi') }),
  fc.record({ type: kind('placement'), zone: fc.constantFrom('a', 'b', undefined) }),
  fc.record({ type: kind('disk'), claim: fc.constantFrom('d1', 'd2', undefined) }),
  fc.record({ type: kind('root'), claim: fc.constantFrom(...claims) }),
  fc.record({
    type: kind('interface'),
    state: fc.constantFrom('none' as const, 'absent' as const, 'down' as const, 'up' as const),
  }),
  fc.record({ type: kind('annotation'), value: fc.constantFrom('x', undefined) }),
  fc.record({
    type: fc.constantFrom(
      'add' as const,
      'remove' as const,
      'restart' as const,
      'migrating' as const,
      'running' as const,
      'plugged' as const,
      'stop' as const,
      'start' as const,
    ),
  }),
  fc.record({ type: kind('volumes-change'), status: fc.constantFrom('True', 'False') }),
  fc.record({
    type: kind('dump'),
    phase: fc.constantFrom('Associating', 'Unmounting', 'Failed', 'Dissociating', 'Completed'),
  }),
  fc.record({ type: kind('claim'), name: fc.constantFrom(...claims, 'dump') }),
  fc.record({ type: kind('import'), phase: fc.constantFrom('ImportInProgress', 'Succeeded', 'Failed') }),
);

function editTemplate(world: World, edit: (spec: Spec) => void): void {
  world.changeVm((vm) => {
    edit(vm.spec.template.spec as Spec);
  });
}

/** What the agents say of a VMI that runs. */
function report(world: World, status: Partial<Status>): void {
  if (world.maybeInstance === undefined) return;
  world.phase('Running', {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'LiveMigratable', status: 'True' },
    ],
    memory: { guestAtBoot: '1Gi', guestCurrent: '1Gi', guestRequested: '1Gi' },
    ...status,
  });
}

const plugged = ({ maybeInstance }: World): Status['volumeStatus'] =>
  maybeInstance?.spec.volumes?.map(({ name }) => ({ name, target: '' }));

function happen(world: World, s: Stimulus): void {
  switch (s.type) {
    case 'sockets':
      return editTemplate(world, (spec) => {
        spec.domain.cpu = { cores: 1, sockets: s.sockets, maxSockets: 4 };
      });
    case 'guest':
      return editTemplate(world, (spec) => {
        spec.domain.memory = { guest: s.guest, maxGuest: '4Gi' };
      });
    case 'placement':
      return editTemplate(world, (spec) => {
        if (s.zone === undefined) delete spec.nodeSelector;
        else spec.nodeSelector = { zone: s.zone };
      });
    case 'disk':
      return editTemplate(world, (spec) => {
        const persistentVolumeClaim = { claimName: s.claim ?? '', hotpluggable: true };
        spec.volumes = spec.volumes?.filter((v) => v.name !== 'data');
        spec.domain.devices.disks = spec.domain.devices.disks?.filter((d) => d.name !== 'data');
        if (s.claim === undefined) return;
        spec.volumes?.push({ name: 'data', persistentVolumeClaim });
        spec.domain.devices.disks?.push({ name: 'data', disk: {} });
      });
    case 'root':
      return editTemplate(world, (spec) => {
        spec.volumes = spec.volumes?.map((v) =>
          v.name === 'root' ? { name: 'root', persistentVolumeClaim: { claimName: s.claim } } : v,
        );
      });
    case 'interface':
      return editTemplate(world, (spec) => {
        spec.networks = spec.networks?.filter((n) => n.name !== 'blue');
        spec.domain.devices.interfaces = spec.domain.devices.interfaces?.filter((i) => i.name !== 'blue');
        if (s.state === 'none') return;
        spec.networks?.push({ name: 'blue', multus: { networkName: 'blue' } });
        spec.domain.devices.interfaces?.push({ name: 'blue', bridge: {}, state: s.state } as Interface);
      });
    case 'annotation':
      return world.changeVm((vm) => {
        const annotations: Record<string, string> = {};
        if (s.value !== undefined) annotations['descheduler.alpha.kubernetes.io/evict'] = s.value;
        vm.spec.template.metadata = { annotations };
      });
    case 'add':
    case 'remove':
      return world.changeVm((vm) => {
        const request =
          s.type === 'add'
            ? { addVolumeOptions: { name: 'more', disk: { disk: {} }, volumeSource: { dataVolume: { name: 'm' } } } }
            : { removeVolumeOptions: { name: 'more' } };
        vm.status = { ...vm.status, volumeRequests: [request as never] };
      });
    case 'restart':
      return editTemplate(world, (spec) => {
        spec.hostname = spec.hostname === undefined ? 'other' : (undefined as never);
      });
    case 'migrating':
      return report(world, {
        migrationState: { startTimestamp: new Date(world.cluster.nowMs).toISOString() } as never,
        volumeStatus: plugged(world) ?? [],
      });
    case 'running':
      return report(world, { migrationState: undefined as never, volumeStatus: [] });
    case 'plugged':
      return report(world, {
        volumeStatus: plugged(world) ?? [],
        interfaces: [{ name: 'blue', podInterfaceName: 'pod1' }],
      });
    case 'volumes-change':
      return report(world, {
        conditions: [
          { type: 'LiveMigratable', status: 'True' },
          { type: 'VolumesChange', status: s.status },
        ],
      });
    case 'dump':
      return world.changeVm((vm) => {
        vm.status = { ...vm.status, memoryDumpRequest: { claimName: 'dump', phase: s.phase, fileName: 'f' } };
      });
    case 'claim':
      if (world.cluster.get(PersistentVolumeClaim, s.name, NAMESPACE) === undefined) createClaim(world, s.name);
      return;
    case 'import':
      if (world.cluster.get(DataVolume, 'import', NAMESPACE) !== undefined) fill(world, 'import', s.phase);
      return;
    case 'stop':
    case 'start':
      return world.changeVm((vm) => {
        vm.spec.runStrategy = s.type === 'stop' ? 'Halted' : 'Always';
      });
  }
}

function running(updateVolumesStrategy: string | undefined, isImported: boolean): World {
  const template = templateSpec();
  const { devices } = template.domain;
  const world = World.withVm(
    {
      runStrategy: 'Always',
      ...(updateVolumesStrategy !== undefined && { updateVolumesStrategy }),
      ...(isImported && { dataVolumeTemplates: [dataVolumeTemplate('import')] }),
    },
    {
      architecture: 'amd64',
      domain: {
        ...template.domain,
        cpu: { cores: 1, sockets: 1, maxSockets: 4 },
        memory: { guest: '1Gi', maxGuest: '4Gi' },
        devices: { ...devices, disks: [...(devices.disks ?? []), { name: 'root', disk: {} }] },
      },
      volumes: [...(template.volumes ?? []), { name: 'root', persistentVolumeClaim: { claimName: 'root' } }],
    },
  );
  createNamespace(world, NAMESPACE);
  createClaim(world, 'root');
  world.settle();
  if (isImported) fill(world, 'import', 'Succeeded');
  world.settle();
  report(world, { volumeStatus: [] });
  return world;
}

testSteadiness(
  {
    stimulus,
    begin: fc.tuple(fc.constantFrom('Migration', undefined), fc.boolean()).map(
      ([strategy, isImported]) =>
        () =>
          running(strategy, isImported),
    ),
    happen,
    kinds: ['VirtualMachine', 'VirtualMachineInstance', 'ControllerRevision', 'DataVolume', 'PersistentVolumeClaim'],
    also: ['DataVolume', 'PersistentVolumeClaim'],
  },
  200,
);
