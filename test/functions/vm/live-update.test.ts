import { describe, expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { configure } from './configuration.ts';
import { templateSpec, World } from './world.ts';

type Spec = VirtualMachineInstance['spec'];
type Domain = Partial<Spec['domain']>;
type Status = Partial<NonNullable<VirtualMachineInstance['status']>>;

const migratable = { type: 'LiveMigratable', status: 'True' };

/** A running VM with that domain; `status` is what the agents say of its VMI. */
function running(domain: Domain, status: Status = {}, spec: Partial<Spec> = {}): World {
  const template = templateSpec();
  return World.withVm({ runStrategy: 'Always' }, { domain: { ...template.domain, ...domain }, ...spec }).started(
    'Running',
    status,
  );
}

function edit(world: World, change: (spec: Spec) => void): void {
  world.changeVm((vm) => {
    change(vm.spec.template.spec as Spec);
  });
}

function edited(world: World, change: (spec: Spec) => void): World {
  edit(world, change);
  world.settle();
  return world;
}

const migrating = (world: World): Status => ({
  migrationState: { startTimestamp: new Date(world.cluster.nowMs).toISOString() } as Status['migrationState'],
});
const needsRestart = (world: World) => world.condition('RestartRequired')?.status === 'True';

describe('CPU (vm.md 7.1)', () => {
  const cpu = { cores: 1, sockets: 2, maxSockets: 8 };
  const setSockets = (sockets: number) => (spec: Spec) => {
    spec.domain.cpu = { ...cpu, sockets };
  };
  const sockets = (world: World) => world.instance.spec.domain.cpu?.sockets;

  test.each([
    ['Stage', 2, true],
    ['LiveUpdate', 4, false],
    [undefined, 4, false],
  ])('vm case 71: 2 to 4 sockets, rollout %s: %i, restart %s', (vmRolloutStrategy, expected, restart) => {
    const world = running({ cpu });
    configure(world, { vmRolloutStrategy } as never);
    edited(world, setSockets(4));
    expect(sockets(world)).toBe(expected);
    expect(needsRestart(world)).toBe(restart);
  });

  test('vm case 71: the patch tests what it replaces', () => {
    const world = running({ cpu });
    edit(world, setSockets(4));
    expect(world.pass().actions[0]).toMatchObject({
      patch: {
        operations: [
          { op: 'test', path: '/spec/domain/cpu/sockets', value: 2 },
          { op: 'replace', path: '/spec/domain/cpu/sockets', value: 4 },
        ],
      },
    });
  });

  test('vm case 70: sockets beside a change that needs a restart are not plugged in', () => {
    const world = running({ cpu });
    edited(world, (spec) => {
      setSockets(4)(spec);
      spec.hostname = 'other';
    });
    expect(sockets(world)).toBe(2);
    expect(needsRestart(world)).toBe(true);
  });

  test.each([
    ['above the maximum', 10, undefined],
    ['lowered', 1, undefined],
    ['on arm64', 4, 'arm64'],
  ])('vm case 72: sockets %s: RestartRequired, neither VMI nor VM written, and it rests', (_name, to, architecture) => {
    const world = running({ cpu }, {}, { ...(architecture !== undefined && { architecture }) });
    edit(world, setSockets(to));
    const { generation } = world.vm.metadata;
    world.settle();
    expect(needsRestart(world)).toBe(true);
    expect(sockets(world)).toBe(2);
    expect(world.vm.metadata.generation).toBe(generation);
    world.cluster.nowMs += 60_000;
    expect(world.pass().actions).toEqual([]);
  });

  test('vm case 73: request and limit grow with the VMI', () => {
    const resources = { requests: { memory: '128Mi', cpu: '100m' }, limits: { cpu: '400m' } };
    const world = edited(running({ cpu: { ...cpu, sockets: 1 }, resources }), setSockets(2));
    expect(world.instance.spec.domain.resources).toEqual({
      requests: { memory: '128Mi', cpu: '200m' },
      limits: { cpu: '500m' },
    });
  });

  test('a request that only the VM has', () => {
    const world = running({ cpu });
    edited(world, (spec) => {
      setSockets(4)(spec);
      spec.domain.resources = { requests: { memory: '128Mi', cpu: '100m' } };
    });
    expect(needsRestart(world)).toBe(true);
  });

  test('vm case 74: CPUs are being plugged in: no patch, HotPlugCPUError, retry', () => {
    const world = running({ cpu }, { conditions: [{ type: 'HotVCPUChange', status: 'True' }] });
    edit(world, setSockets(4));
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugCPUError' });
    expect(sockets(world)).toBe(2);
  });

  test('vm case 74: the VMI is being migrated', () => {
    const world = running({ cpu });
    world.phase('Running', migrating(world));
    edit(world, setSockets(4));
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugCPUError' });
    expect(sockets(world)).toBe(2);
  });

  test('a patch that is refused: HotPlugCPUError, and later updates wait', () => {
    const world = running({ cpu });
    world.refuse('vmi-cpu');
    edit(world, (spec) => {
      setSockets(4)(spec);
      spec.tolerations = [{ key: 'k', operator: 'Exists' }];
    });
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugCPUError' });
    expect(world.instance.spec.tolerations).toBeUndefined();
    world.cluster.refuse.clear();
  });
});

describe('placement (vm.md 7.2, 7.3)', () => {
  const toleration = (key: string) => ({ key, operator: 'Exists' });
  const affinity = (value: string): Spec['affinity'] => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In' as never, values: [value] }] }],
      },
    },
  });
  const fields = [
    ['tolerations', [toleration('a')], [toleration('b')], 'TolerationsChangeError'],
    ['nodeSelector', { zone: 'a' }, { zone: 'b' }, 'AffinityChangeError'],
    ['affinity', affinity('a') as object, affinity('b') as object, 'AffinityChangeError'],
  ] as const;

  test.each(fields)('vm case 78: %s come, change and go', (field, first, second) => {
    const world = running({});
    const operations = (value: unknown) => {
      edit(world, (spec) => {
        Object.assign(spec, { [field]: value });
      });
      const patch = world.pass().actions.find((a) => a.id === `vmi-${field}`);
      world.settle();
      expect(world.instance.spec[field]).toEqual(value);
      expect(needsRestart(world)).toBe(false);
      return (patch as unknown as { patch: { operations: { op: string }[] } }).patch.operations.map((o) => o.op);
    };
    expect(operations(first)).toEqual(['add']);
    expect(operations(second)).toEqual(['test', 'replace']);
    expect(operations(undefined)).toEqual(['test', 'remove']);
  });

  test.each(fields)('vm case 78: %s changed while the VMI is migrated', (field, first, _second, reason) => {
    const world = running({});
    world.phase('Running', migrating(world));
    edit(world, (spec) => {
      Object.assign(spec, { [field]: first });
    });
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason });
    expect(world.instance.spec[field]).toBeUndefined();
  });

  test('affinity and node selector at once: two patches', () => {
    const world = running({});
    edited(world, (spec) => {
      spec.affinity = affinity('a');
      spec.nodeSelector = { zone: 'a' };
    });
    expect(world.instance.spec).toMatchObject({ affinity: affinity('a'), nodeSelector: { zone: 'a' } });
  });
});

describe('memory (vm.md 7.4)', () => {
  const memory = { guest: '1Gi', maxGuest: '4Gi' };
  const amd64 = { architecture: 'amd64' };
  const status = (extra: Status = {}): Status => ({
    conditions: [migratable],
    memory: { guestAtBoot: '1Gi', guestCurrent: '1Gi', guestRequested: '1Gi' },
    ...extra,
  });
  const setGuest = (guest: string) => (spec: Spec) => {
    spec.domain.memory = { ...memory, guest };
  };
  const guest = (world: World) => world.instance.spec.domain.memory?.guest;

  test('vm case 75: guest and request grow', () => {
    const world = running({ memory, resources: { requests: { memory: '1Gi' } } }, status(), amd64);
    edited(world, setGuest('2048Mi'));
    expect(guest(world)).toBe('2Gi');
    expect(world.instance.spec.domain.resources).toEqual({ requests: { memory: '2Gi' } });
    expect(needsRestart(world)).toBe(false);
  });

  test('a limit grows with them', () => {
    const resources = { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } };
    const world = edited(running({ memory, resources }, status(), amd64), setGuest('2Gi'));
    expect(world.instance.spec.domain.resources).toEqual({ requests: { memory: '2Gi' }, limits: { memory: '3Gi' } });
  });

  test('a request that would stay below the guest is lifted to it, and the limit stays', () => {
    const resources = { requests: { memory: '512Mi' }, limits: { memory: '4Gi' } };
    const world = edited(running({ memory, resources }, status(), amd64), setGuest('2Gi'));
    expect(world.instance.spec.domain.resources).toEqual({ requests: { memory: '2Gi' }, limits: { memory: '4Gi' } });
  });

  test.each<[string, string, Domain, Status, Partial<Spec>]>([
    [
      'below the guest at boot',
      '1Gi',
      { memory: { guest: '2Gi', maxGuest: '4Gi' } },
      { memory: { guestAtBoot: '2Gi', guestCurrent: '2Gi' } },
      amd64,
    ],
    ['not migratable', '2Gi', {}, { conditions: [] }, amd64],
    ['without maximum', '2Gi', { memory: { guest: '1Gi' } }, {}, amd64],
    [
      'an earlier change failed',
      '2Gi',
      {},
      { conditions: [migratable, { type: 'HotMemoryChange', status: 'False' }] },
      amd64,
    ],
    ['not aligned', '1537Mi', {}, {}, amd64],
    ['not aligned to huge pages', '1536Mi', { memory: { ...memory, hugepages: { pageSize: '1Gi' } } }, {}, amd64],
    ['the maximum is not aligned', '2Gi', { memory: { guest: '1Gi', maxGuest: '4097Mi' } }, {}, amd64],
    ['above the maximum', '5Gi', {}, {}, amd64],
    ['below 1Gi', '512Mi', {}, { memory: { guestAtBoot: '512Mi', guestCurrent: '1Gi' } }, amd64],
    ['another architecture', '2Gi', {}, {}, { architecture: 's390x' }],
    ['realtime', '2Gi', { cpu: { realtime: {} } }, {}, amd64],
    ['launch security', '2Gi', { launchSecurity: { sev: {} } }, {}, amd64],
  ])('vm case 76: %s: RestartRequired, no patch', (_name, to, domain, extra, spec) => {
    const world = running({ memory, ...domain }, status(extra), spec);
    edited(world, (s) => {
      s.domain.memory = { ...s.domain.memory, guest: to };
    });
    expect(needsRestart(world)).toBe(true);
    expect(guest(world)).toBe(domain.memory?.guest ?? memory.guest);
    world.cluster.nowMs += 60_000;
    expect(world.pass().actions).toEqual([]);
  });

  test('vm case 77: memory is being plugged in', () => {
    const conditions = [migratable, { type: 'HotMemoryChange', status: 'True' }];
    const world = running({ memory }, status({ conditions }), amd64);
    edit(world, setGuest('2Gi'));
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugMemoryError' });
    expect(guest(world)).toBe('1Gi');
  });

  test('vm case 77: the VMI is being migrated', () => {
    const world = running({ memory }, status(), amd64);
    world.phase('Running', status(migrating(world)));
    edit(world, setGuest('2Gi'));
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugMemoryError' });
  });

  test('a VMI that does not tell its memory is left alone', () => {
    const world = edited(running({ memory }, { conditions: [migratable] }, amd64), setGuest('2Gi'));
    expect(guest(world)).toBe('1Gi');
    expect(needsRestart(world)).toBe(false);
  });
});

test('a condition that a live update asks for is the same from pass to pass, wherever it stands', () => {
  const cpu = { cores: 1, sockets: 2, maxSockets: 2 };
  const world = running({ cpu }, { conditions: [migratable] });
  edited(world, (spec) => {
    spec.domain.cpu = { ...cpu, sockets: 4 };
  });
  const before = world.condition('RestartRequired');
  world.phase('Running', { conditions: [migratable, { type: 'AgentConnected', status: 'True' }] });
  world.cluster.nowMs += 60_000;
  world.settle();
  expect(world.condition('RestartRequired')).toEqual(before);
});

test('what a live update can not do stands back where the change is taken back', () => {
  const cpu = { cores: 1, sockets: 2, maxSockets: 2 };
  const world = running({ cpu });
  edited(world, (spec) => {
    spec.domain.cpu = { ...cpu, sockets: 4 };
  });
  expect(needsRestart(world)).toBe(true);
  edited(world, (spec) => {
    spec.domain.cpu = cpu;
  });
  expect(world.condition('RestartRequired')).toBeUndefined();
});
