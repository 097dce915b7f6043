import { describe, expect, test } from 'vitest';
import { vm } from '../../../functions/vm/reads.ts';
import { snapshotOf } from '../model/snapshot.ts';
import { createClaim } from './storage.ts';
import { NAME, NAMESPACE, templateSpec, World } from './world.ts';

const key = `${NAMESPACE}/${NAME}`;

describe('reads', () => {
  test('start revisions of this VM, and no others', () => {
    const world = World.withVm();
    const { uid } = world.vm.metadata;
    world.createRevision(`revision-start-vm-${uid}-1`, 1);
    world.createRevision('testvm-small-v1beta1-uid-1', 1);
    const { revisions, foreignRevision } = snapshotOf(world.cluster, vm, key).reads;
    expect(revisions.map((r) => r.metadata.name)).toEqual([`revision-start-vm-${uid}-1`]);
    expect(foreignRevision).toBeUndefined();
  });

  test('the revision that the VMI names, where it is not one of those', () => {
    const world = World.withVm();
    world.createRevision('revision-start-vm-earlier-1', 1);
    world.createInstance({}, { virtualMachineRevisionName: 'revision-start-vm-earlier-1' });
    const { foreignRevision } = snapshotOf(world.cluster, vm, key).reads;
    expect(foreignRevision?.metadata.name).toBe('revision-start-vm-earlier-1');
  });

  test('of claims no annotations, but whether there are any, and the memory dump', () => {
    const volumes = [{ name: 'boot', dataVolume: { name: 'c1' } }];
    const world = World.withVm({ runStrategy: 'Halted' }, templateSpec({ volumes }));
    createClaim(world, 'c1', {}, { metadata: { annotations: { a: 'b' } } });
    const { claims } = snapshotOf(world.cluster, vm, key).reads;
    expect(claims.map((c) => c.metadata.annotations)).toEqual([{}]);
  });
});
