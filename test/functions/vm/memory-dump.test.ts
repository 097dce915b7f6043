import { describe, expect, test } from 'vitest';
import { PersistentVolumeClaim } from '../../../functions/core/kinds.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { createClaim } from './storage.ts';
import { NAMESPACE, templateSpec, World } from './world.ts';

type Request = NonNullable<NonNullable<VirtualMachine['status']>['memoryDumpRequest']>;
type VolumeStatus = NonNullable<NonNullable<VirtualMachineInstance['status']>['volumeStatus']>[number];

const volume = { name: 'dump', memoryDump: { claimName: 'dump', hotpluggable: true } };

function dumping(
  phase: string,
  {
    isInTemplate = true,
    isRunning = true,
    ...rest
  }: Partial<Request> & { isInTemplate?: boolean; isRunning?: boolean } = {},
): World {
  const volumes = [...(templateSpec().volumes ?? []), ...(isInTemplate ? [volume] : [])];
  const world = World.withVm({ runStrategy: isRunning ? 'Always' : 'Halted' }, { volumes });
  if (isRunning) world.started();
  setRequest(world, { claimName: 'dump', phase, ...rest });
  return world;
}

function setRequest(world: World, memoryDumpRequest: Request): void {
  world.changeVm((vm) => {
    vm.status = { ...vm.status, memoryDumpRequest };
  });
}

function tell(world: World, ...volumeStatus: VolumeStatus[]): void {
  world.changeInstance((vmi) => {
    vmi.status = { ...vmi.status, volumeStatus };
  });
}

const isPlugged = (world: World) => world.instance.spec.volumes?.some((v) => v.name === 'dump');
const isTemplated = (world: World) => world.vm.spec.template.spec?.volumes?.some((v) => v.name === 'dump');
const phase = (world: World) => world.status.memoryDumpRequest?.phase;
const mark = (world: World) =>
  world.cluster.get(PersistentVolumeClaim, 'dump', NAMESPACE)?.metadata.annotations?.['kubevirt.io/memory-dump'];

describe('memory dump (vm.md 6.5, 12.3)', () => {
  test('vm case 91: Associating: the volume comes to VMI and template, then it is in progress', () => {
    const world = dumping('Associating', { isInTemplate: false });
    world.settle();
    expect(world.instance.spec.volumes).toContainEqual(volume);
    expect(world.vm.spec.template.spec?.volumes).toContainEqual(volume);
    expect(phase(world)).toBe('InProgress');
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('Associating waits for a VMI that runs', () => {
    const world = dumping('Associating', { isInTemplate: false, isRunning: false });
    world.settle();
    expect(isTemplated(world)).toBe(false);
    expect(phase(world)).toBe('Associating');
  });

  test('vm case 92: completed: the claim is told the file, the volume goes, and then it is over', () => {
    const world = dumping('InProgress');
    createClaim(world, 'dump');
    const [startTimestamp, endTimestamp] = ['2026-12-01T00:00:00Z', '2026-12-01T00:01:00Z'];
    tell(world, {
      name: 'dump',
      target: '',
      phase: 'MemoryDumpCompleted',
      memoryDumpVolume: { claimName: 'dump', targetFileName: 'vm.memory.dump', startTimestamp, endTimestamp },
    });
    world.settle();
    expect(world.status.memoryDumpRequest).toEqual({
      claimName: 'dump',
      phase: 'Unmounting',
      fileName: 'vm.memory.dump',
      startTimestamp,
      endTimestamp,
    });
    expect(mark(world)).toBe('vm.memory.dump');
    expect(isPlugged(world)).toBe(false);
    expect(isTemplated(world)).toBe(true);
    tell(world);
    world.settle();
    expect(phase(world)).toBe('Completed');
    expect(isPlugged(world)).toBe(false);
  });

  test('the start of a dump is noted while it lasts', () => {
    const world = dumping('InProgress');
    const startTimestamp = '2026-12-01T00:00:00Z';
    tell(world, { name: 'dump', target: '', phase: 'MemoryDumpInProgress', memoryDumpVolume: { startTimestamp } });
    world.settle();
    expect(world.status.memoryDumpRequest).toMatchObject({ phase: 'InProgress', startTimestamp });
  });

  test('vm case 93: failed: the claim is told so, and what the VMI said of it', () => {
    const world = dumping('InProgress');
    createClaim(world, 'dump', {}, { metadata: { annotations: { mine: 'yes' } } });
    const status = { name: 'dump', target: '', phase: 'MemoryDumpFailed', message: 'no space', memoryDumpVolume: {} };
    tell(world, status);
    world.settle();
    expect(world.status.memoryDumpRequest).toMatchObject({ phase: 'Failed', message: 'no space' });
    expect(mark(world)).toBe('Memory dump failed');
    expect(isPlugged(world)).toBe(false);
    expect(world.cluster.get(PersistentVolumeClaim, 'dump', NAMESPACE)?.metadata.annotations?.['mine']).toBe('yes');
  });

  test('vm case 93: without the claim: MemoryDumpError', () => {
    const world = dumping('Failed');
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'MemoryDumpError' });
    expect(isPlugged(world)).toBe(true);
  });

  test('a claim that can not be marked holds nothing up', () => {
    const world = dumping('Unmounting', { fileName: 'f' });
    createClaim(world, 'dump');
    world.refuse('claim-memory-dump');
    world.pass();
    world.pass();
    expect(isPlugged(world)).toBe(false);
    world.cluster.refuse.clear();
  });

  test('vm case 94: Dissociating, stopped: the volume leaves the template, then the request goes', () => {
    const world = dumping('Dissociating', { isRunning: false });
    world.settle();
    expect(isTemplated(world)).toBe(false);
    expect(world.status.memoryDumpRequest).toBeUndefined();
  });

  test('Dissociating, running: out of VMI and template, and the request stays as long as its status', () => {
    const world = dumping('Dissociating');
    tell(world, { name: 'dump', target: '' });
    world.settle();
    expect([isPlugged(world), isTemplated(world)]).toEqual([false, false]);
    expect(phase(world)).toBe('Dissociating');
    tell(world);
    world.settle();
    expect(world.status.memoryDumpRequest).toBeUndefined();
  });

  test.each([
    ['Associating', 'Dissociating'],
    ['InProgress', 'Dissociating'],
    ['Failed', 'Dissociating'],
    ['Completed', 'Completed'],
  ])('to be removed while %s: %s', (before, after) => {
    const world = World.withVm({ runStrategy: 'Foo' });
    setRequest(world, { claimName: 'dump', phase: before, remove: true });
    world.pass();
    expect(phase(world)).toBe(after);
  });

  test.each([
    ['Completed', false],
    ['Unmounting', false],
    ['InProgress', true],
    ['Associating', true],
  ])('vm case 51: a start while the dump is %s: with its volume %s', (at, kept) => {
    const world = dumping(at, { isRunning: false });
    createClaim(world, 'dump');
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
    });
    world.pass();
    expect(isPlugged(world)).toBe(kept);
  });
});
