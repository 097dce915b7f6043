import { describe, expect, test } from 'vitest';
import { nextState } from '../../../functions/vm/changed-block-tracking.ts';
import { configure, enableGate } from './configuration.ts';
import { createNamespace } from './storage.ts';
import { NAMESPACE, World } from './world.ts';

const OFF = 'IncrementalBackupFeatureGateDisabled';
const tracked = { virtualMachineLabelSelector: { matchLabels: { backup: 'yes' } } };
const state = (world: World) => world.status.changedBlockTracking?.state;

function withLabel(runStrategy: string, selectors: object = tracked): World {
  const world = World.withVm({ runStrategy }, {}, { labels: { backup: 'yes' } });
  createNamespace(world, NAMESPACE, { team: 'a' });
  configure(world, { changedBlockTrackingLabelSelectors: selectors } as never);
  return world;
}

/** The VMI tells a state of its own. */
function tell(world: World, changedBlockTracking: { state: string } | undefined): void {
  world.changeInstance((vmi) => {
    Object.assign(vmi.status ?? {}, { changedBlockTracking });
  });
  world.settle();
}

describe('changed block tracking (vm.md 12.9)', () => {
  test('vm case 117: gate off, the VM matches', () => {
    const world = withLabel('Halted');
    world.settle();
    expect(state(world)).toBe(OFF);
  });

  test('vm case 117: gate on at the start: VM and VMI are initialized', () => {
    const world = withLabel('Halted');
    enableGate(world, 'IncrementalBackup');
    world.settle();
    expect(state(world)).toBe('Initializing');
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    expect(world.instance.status?.changedBlockTracking).toEqual({ state: 'Initializing' });
    expect(state(world)).toBe('Initializing');
    tell(world, { state: 'Enabled' });
    expect(state(world)).toBe('Enabled');
  });

  test('vm case 117: gate on with a VMI that is not tracked', () => {
    const world = withLabel('Always', {}).started();
    enableGate(world, 'IncrementalBackup');
    configure(world, { changedBlockTrackingLabelSelectors: tracked } as never);
    world.settle();
    expect(state(world)).toBe('PendingRestart');
  });

  test('a VM that matches no more is told so at its next start', () => {
    const world = withLabel('Halted');
    enableGate(world, 'IncrementalBackup');
    world.settle();
    world.changeVm((vm) => {
      vm.metadata.labels = {};
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    expect(world.instance.status?.changedBlockTracking).toEqual({ state: 'Disabled' });
    expect(state(world)).toBe('Disabled');
  });

  test.each([
    [{ namespaceLabelSelector: { matchLabels: { team: 'a' } } }, true],
    [{ namespaceLabelSelector: { matchLabels: { team: 'b' } } }, false],
    [{ namespaceLabelSelector: {} }, true],
    [{ virtualMachineLabelSelector: { matchExpressions: [{ key: 'backup', operator: 'Sometimes' }] } }, false],
    [{}, false],
  ])('selectors %j: %s', (selectors, matches) => {
    const world = withLabel('Halted', selectors);
    world.settle();
    expect(state(world)).toBe(matches ? OFF : undefined);
  });

  test('vm case 16: other labels of a namespace: written only if the selector matches otherwise', () => {
    const world = withLabel('Halted', { namespaceLabelSelector: { matchLabels: { team: 'a' } } });
    world.settle();
    const relabel = (labels: Record<string, string>) => {
      world.cluster.change(
        { kind: 'Namespace' } as never,
        NAMESPACE,
        undefined as never,
        (namespace: { metadata: object }) => {
          Object.assign(namespace.metadata, { labels });
        },
      );
      return world.pass().actions.map((a) => a.id);
    };
    expect(relabel({ team: 'a', other: 'x' })).toEqual([]);
    enableGate(world, 'IncrementalBackup');
    expect(relabel({ team: 'a' })).toEqual(['status']);
  });

  const ALL = ['', 'PendingRestart', 'Initializing', 'Enabled', 'Disabled', OFF, 'other'];
  const cases: readonly [string, { isGateOn: boolean; matches: boolean; instance: string | undefined }, string[]][] = [
    ['gate off, matches, no VMI', { isGateOn: false, matches: true, instance: undefined }, ALL.map(() => OFF)],
    ['gate off, matches, VMI off', { isGateOn: false, matches: true, instance: 'Disabled' }, ALL.map(() => OFF)],
    [
      'gate off, no match, no VMI',
      { isGateOn: false, matches: false, instance: undefined },
      ALL.map((s) => (s === OFF ? OFF : 'removed')),
    ],
    [
      'gate off, VMI on',
      { isGateOn: false, matches: false, instance: 'Enabled' },
      ['', 'PendingRestart', 'PendingRestart', 'PendingRestart', 'Disabled', OFF, 'other'],
    ],
    [
      'matches, no VMI',
      { isGateOn: true, matches: true, instance: undefined },
      ['Initializing', 'Initializing', 'Initializing', 'Enabled', 'Initializing', 'Initializing', ''],
    ],
    [
      'matches, VMI not tracked',
      { isGateOn: true, matches: true, instance: '' },
      ['PendingRestart', 'PendingRestart', 'Initializing', 'Initializing', 'PendingRestart', 'PendingRestart', ''],
    ],
    [
      'matches, VMI initializing',
      { isGateOn: true, matches: true, instance: 'Initializing' },
      ['PendingRestart', 'Initializing', 'Initializing', 'Initializing', 'Initializing', 'PendingRestart', ''],
    ],
    [
      'matches, VMI enabled',
      { isGateOn: true, matches: true, instance: 'Enabled' },
      ['PendingRestart', 'Enabled', 'Enabled', 'Enabled', 'Enabled', 'PendingRestart', ''],
    ],
    [
      'no match, VMI off',
      { isGateOn: true, matches: false, instance: '' },
      ['', 'Disabled', 'Disabled', 'Disabled', 'Disabled', 'Disabled', 'Disabled'],
    ],
    [
      'no match, VMI on',
      { isGateOn: true, matches: false, instance: 'Initializing' },
      ['', 'PendingRestart', 'PendingRestart', 'PendingRestart', 'Disabled', 'PendingRestart', ''],
    ],
  ];
  test.each(cases)('the table: %s', (_name, facts, expected) => {
    expect(ALL.map((s) => nextState(s, facts))).toEqual(expected);
  });
});
