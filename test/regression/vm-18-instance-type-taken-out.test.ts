import { expect, test } from 'vitest';
import { World } from '../functions/vm/world.ts';

/** The kind: a status reference outlives its matcher. What it names is nobody's business then, there or not. */
test.each([
  ['instancetypeRef', 'r1'],
  ['preferenceRef', 'r1'],
  ['instancetypeRef', undefined],
])('VM-18: %s names %s, the spec names nothing: the VM is started all the same', (ref, name) => {
  const world = World.withVm({ runStrategy: 'Manual', instancetype: null, preference: null } as never);
  world.changeVm((vm) => {
    vm.status = {
      stateChangeRequests: [{ action: 'Start' }],
      [ref]: { name: 'small', ...(name === undefined ? {} : { controllerRevisionRef: { name } }) },
    };
  });
  world.settle();
  expect(world.maybeInstance).toBeDefined();
  expect(world.revisions.map((r) => (r.data as { spec: object }).spec)).toEqual([
    expect.not.objectContaining({ instancetype: expect.anything(), preference: expect.anything() }),
  ]);
  expect(world.status[ref as 'instancetypeRef']).toMatchObject({ name: 'small' });
  expect(world.condition('Failure')).toBeUndefined();
});
