/** VMI-14, issue 15200 of KubeVirt: a launcher pod was removed by the garbage collector right after its creation. */
import { expect, test } from 'vitest';
import { VirtualMachineInstance } from '../../functions/core/kinds.ts';
import { vmi } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const ownerOf = (uid: string) => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  name: 'testvmi',
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

test('VMI-14: the pod names its VMI by the uid that it has now, and a VMI made anew gets a pod of its own', () => {
  const world = worldOf(vmi('Pending'));
  world.pass();
  const first = world.pod;
  expect(first.metadata.ownerReferences).toEqual([ownerOf('1234')]);

  world.changeVmi((v) => (v.metadata.finalizers = []));
  world.cluster.delete(VirtualMachineInstance, 'testvmi', 'default');
  const anew = vmi('Pending');
  world.put({ ...anew, metadata: { ...anew.metadata, uid: '5678' } });
  world.settle();
  const others = world.pods.filter((p) => p.metadata.name !== first.metadata.name);
  expect(others.map((p) => p.metadata.ownerReferences)).toEqual([[ownerOf('5678')]]);
});

test('VMI-14: decided for the VMI that was, the pod is not taken for that of the one that is', () => {
  const world = worldOf(vmi('Pending'));
  world.pass();
  const anew = vmi('Pending');
  const names = worldOf({ ...anew, metadata: { ...anew.metadata, uid: '5678' } });
  names.pass();
  expect(names.pod.metadata.name).not.toBe(world.pod.metadata.name);
});
