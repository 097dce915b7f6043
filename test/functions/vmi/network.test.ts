import { describe, expect, test } from 'vitest';
import { timestamp } from '../../../functions/core/context.ts';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { handedOver, runningPod } from './fixtures.ts';
import { worldOf } from './worlds.ts';

type Interfaces = NonNullable<NonNullable<VirtualMachineInstance['status']>['interfaces']>;

const BLUE = { name: 'blue', multus: { networkName: 'bluenet' } };
const DEFAULT = { name: 'default', pod: {} };
const NETWORKS = 'k8s.v1.cni.cncf.io/networks';

function running(interfaces: object[], networks: object[], known: Interfaces = [], conditions: object[] = []) {
  return handedOver('Running', {
    spec: { domain: { devices: { interfaces } }, networks } as never,
    status: { interfaces: known, conditions: conditions as never },
  });
}

function podWith(multus: object[] | undefined, annotations: Record<string, string> = {}) {
  const status: Record<string, string> =
    multus === undefined ? {} : { 'k8s.v1.cni.cncf.io/network-status': JSON.stringify(multus) };
  return runningPod({ metadata: { annotations: { ...status, ...annotations } } });
}

const hashed = (name: string) => ({ blue: 'pod16477688c0e', red: 'podb1f51a511f1' })[name];

describe('interface status (vmi.md 11.4)', () => {
  test('vmi case 88: another order is no change, one more is', () => {
    const known = [
      { name: 'zeta', interfaceName: 'eth5' },
      { name: 'default', podInterfaceName: 'eth0' },
    ];
    const world = worldOf(running([{ name: 'default', masquerade: {} }], [DEFAULT], known), runningPod());
    world.settle();
    expect(world.status.interfaces).toEqual(known);
    world.changeVmi((v) => delete v.status?.interfaces);
    world.settle();
    expect(world.status.interfaces).toEqual([{ name: 'default', podInterfaceName: 'eth0' }]);
  });

  test('secondary networks by Multus, ordinal and hashed, and the default interface that Multus names', () => {
    for (const [scheme, blue] of [
      ['net1', 'net1'],
      [hashed('blue'), hashed('blue')],
    ]) {
      const multus = [
        { interface: 'ens3', default: true },
        { name: 'default/bluenet', interface: scheme },
      ];
      const world = worldOf(
        running([], [DEFAULT, BLUE, { name: 'red', multus: { networkName: 'r' } }]),
        podWith(multus),
      );
      world.settle();
      expect(world.status.interfaces).toEqual([
        { name: 'default', podInterfaceName: 'ens3' },
        { name: 'blue', podInterfaceName: blue, infoSource: 'multus-status' },
      ]);
    }
  });

  test('an interface that Multus no longer reports loses that source, not its entry', () => {
    const known = [{ name: 'blue', infoSource: 'domain, multus-status', mac: 'm' }];
    const world = worldOf(running([], [BLUE], known), podWith(undefined));
    world.settle();
    expect(world.status.interfaces).toEqual([
      { name: 'blue', mac: 'm', infoSource: 'domain', podInterfaceName: hashed('blue') },
    ]);
  });
});

describe('MigrationRequired (vmi.md 11.6)', () => {
  const pending = [running([{ name: 'blue', bridge: {} }], [BLUE]), podWith([])] as const;

  test('vmi case 92: no need, no condition: nothing', () => {
    const world = worldOf(running([{ name: 'default', masquerade: {} }], [DEFAULT]), runningPod());
    world.settle();
    expect(world.conditions).toEqual(['Ready False PodConditionMissing']);
  });

  test('vmi case 92, 93: bridge interface: pending with another look after 10 s, required after more than 15 s', () => {
    const world = worldOf(...pending);
    expect(world.pass()).toMatchObject({ type: 'requeue-after', afterMs: 10_000 });
    expect(world.conditions).toContain('MigrationRequired False AutoMigrationPending');
    world.later(15_000);
    expect(world.pass().type).toBe('requeue-after');
    world.later(1_000);
    expect(world.pass().type).toBe('done');
    expect(world.conditions).toContain('MigrationRequired True AutoMigrationDueToLiveUpdate');
  });

  test('vmi case 92: True stays True on a pending need', () => {
    const required = { type: 'MigrationRequired', status: 'True', reason: 'AutoMigrationDueToLiveUpdate' };
    const world = worldOf(running([{ name: 'blue', bridge: {} }], [BLUE], [], [required]), podWith([]));
    expect(world.pass().type).toBe('done');
    expect(world.conditions).toContain('MigrationRequired True AutoMigrationDueToLiveUpdate');
  });

  test('vmi case 92: no need any more: removed; migrating: untouched', () => {
    const required = { type: 'MigrationRequired', status: 'True', reason: 'AutoMigrationDueToLiveUpdate' };
    const world = worldOf(running([], [DEFAULT], [], [required]), runningPod());
    const startTimestamp = timestamp(world.cluster.nowMs - 60_000);
    world.changeVmi((v) => {
      if (v.status !== undefined) v.status.migrationState = { startTimestamp };
    });
    world.settle();
    expect(world.conditions).toContain('MigrationRequired True AutoMigrationDueToLiveUpdate');
    world.changeVmi((v) => {
      if (v.status?.migrationState !== undefined) v.status.migrationState.endTimestamp = timestamp(world.cluster.nowMs);
    });
    world.settle();
    expect(world.conditions.some((c) => c.startsWith('MigrationRequired'))).toBe(false);
  });

  test.each([
    ['SR-IOV interface hotplugged', [{ name: 'blue', sriov: {} }], [], [], 'True AutoMigrationDueToLiveUpdate'],
    [
      'definition in the spec differs from what Multus reports',
      [{ name: 'blue', bridge: {} }],
      [{ name: 'blue', podInterfaceName: 'net1', infoSource: 'domain, multus-status' }],
      [{ name: 'default/other', interface: 'net1' }],
      'True AutoMigrationDueToLiveUpdate',
    ],
    [
      'definition the same',
      [{ name: 'blue', bridge: {} }],
      [{ name: 'blue', podInterfaceName: 'net1', infoSource: 'domain, multus-status' }],
      [{ name: 'default/bluenet', interface: 'net1' }],
      undefined,
    ],
  ])('vmi case 93: %s', (_, interfaces, known, multus, expected) => {
    const world = worldOf(running(interfaces, [BLUE], known), podWith(multus));
    world.pass();
    const found = world.conditions.find((c) => c.startsWith('MigrationRequired'));
    expect(found).toBe(expected === undefined ? undefined : `MigrationRequired ${expected}`);
  });

  test.each([
    ['domain, multus-status', undefined],
    ['multus-status', 'MigrationRequired False AutoMigrationPending'],
  ])('vmi case 94: absent interface known by %s', (infoSource, expected) => {
    const known = [{ name: 'blue', podInterfaceName: 'net1', infoSource }];
    const multus = [{ name: 'default/bluenet', interface: 'net1' }];
    const world = worldOf(running([{ name: 'blue', bridge: {}, state: 'absent' }], [BLUE], known), podWith(multus));
    world.pass();
    expect(world.conditions.find((c) => c.startsWith('MigrationRequired'))).toBe(expected);
  });
});

describe('network annotations of the pod (vmi.md 11.5)', () => {
  test('vmi case 95: last secondary interface absent: networks set to ""', () => {
    const old = JSON.stringify([{ name: 'bluenet', namespace: 'default', interface: 'net1' }]);
    const known = [{ name: 'blue', podInterfaceName: 'net1', infoSource: 'domain' }];
    const world = worldOf(
      running([{ name: 'blue', bridge: {}, state: 'absent' }], [BLUE], known),
      podWith([{ name: 'default/bluenet', interface: 'net1' }], { [NETWORKS]: old }),
    );
    world.settle();
    expect(world.pod.metadata.annotations?.[NETWORKS]).toBe('');
  });

  test('an interface that the status does not know yet is added, the pod network is not', () => {
    const interfaces = [
      { name: 'default', masquerade: {} },
      { name: 'blue', bridge: {}, macAddress: '02:00:00:00:00:02' },
    ];
    const world = worldOf(
      running(interfaces, [DEFAULT, { name: 'blue', multus: { networkName: 'infra/bluenet' } }]),
      podWith([]),
    );
    world.settle();
    expect(world.pod.metadata.annotations?.[NETWORKS]).toBe(
      `[{"name":"bluenet","namespace":"infra","mac":"02:00:00:00:00:02","interface":"${hashed('blue')}"}]`,
    );
  });

  test('SR-IOV devices as Multus reports them', () => {
    const multus = [{ name: 'default/bluenet', interface: 'net1', mac: 'm', 'device-info': { type: 'pci' } }];
    const known = [{ name: 'blue', podInterfaceName: 'net1', infoSource: 'domain, multus-status' }];
    const world = worldOf(running([{ name: 'blue', sriov: {} }], [BLUE], known), podWith(multus));
    world.settle();
    expect(world.pod.metadata.annotations?.['kubevirt.io/network-info']).toBe(
      '{"interfaces":[{"network":"blue","deviceInfo":{"type":"pci"},"mac":"m"}]}',
    );
  });
});
