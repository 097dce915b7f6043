// Input that no admission has seen: each gets its condition or event, and what can go on does.
import { describe, expect, test } from 'vitest';
import { World } from './world.ts';

describe('bad input', () => {
  test('10,000 state change requests: the run strategy is followed, one request goes with each pass', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.request(...Array.from({ length: 10_000 }, () => ({ action: 'Stop', uid: 'another' })));
    world.pass();
    expect(world.maybeInstance).toBeDefined();
    for (let i = 0; i < 2; i++) world.pass();
    expect(world.status.stateChangeRequests).toHaveLength(9_997);
    expect(world.condition('Failure')).toBeUndefined();
    world.request();
  });

  test('a template that is too large for a revision: FailedCreate with the text, no VMI', () => {
    const world = World.withVm(
      { runStrategy: 'Always' },
      { volumes: [{ name: 'boot', cloudInitNoCloud: { userData: 'x'.repeat(1 << 20) } }] },
    );
    world.refuse('create-revision', 413, 'RequestEntityTooLarge', 'request is too large');
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.condition('Failure')?.message).toContain('request is too large');
    expect(world.maybeInstance).toBeUndefined();
    world.cluster.refuse.clear();
  });

  test.each([
    ['no template', { template: undefined }],
    ['no spec in the template', { template: {} }],
    ['no domain', { template: { spec: {} } }],
  ])('%s: the VMI has a domain, the UUID finds no place', (_, fields) => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.changeVm((vm) => {
      Object.assign(vm.spec, { runStrategy: 'Always', ...fields });
    });
    expect(world.settle()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.instance.spec.domain).toMatchObject({ devices: {} });
    expect(world.condition('Failure')).toMatchObject({ reason: 'FirmwareUUIDError' });
  });

  test('no devices: they are as good as empty', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.changeVm((vm) => {
      Object.assign(vm.spec, { runStrategy: 'Always', template: { spec: { domain: {} } } });
    });
    expect(world.settle().type).toBe('done');
    expect(world.instance.spec.domain.devices.interfaces).toEqual([{ name: 'default', bridge: {} }]);
  });
});
