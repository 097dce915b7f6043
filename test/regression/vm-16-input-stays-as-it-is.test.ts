// A write that fails leaves its half-made change in the cache, because the controller edited the cached object (kubevirt PR 11265).
//
// The model's driver freezes every snapshot deeply and decides on it twice; here each write of a VM that has all there is to
// follow is refused in turn.
import { expect, test } from 'vitest';
import { createClaim } from '../functions/vm/storage.ts';
import { templateSpec, World } from '../functions/vm/world.ts';

/** A running VM with something for every step to write. */
function busy(): World {
  const template = templateSpec();
  const cpu = { cores: 1, sockets: 1, maxSockets: 4 };
  const world = World.withVm({ runStrategy: 'Always' }, { domain: { ...template.domain, cpu } }).started();
  createClaim(world, 'dump');
  world.changeVm((vm) => {
    const spec = vm.spec.template.spec as NonNullable<typeof template>;
    spec.domain.cpu = { ...cpu, sockets: 2 };
    spec.nodeSelector = { zone: 'a' };
    spec.tolerations = [{ key: 'k', operator: 'Exists' }];
    spec.networks = [...(spec.networks ?? []), { name: 'blue', multus: { networkName: 'blue' } }];
    spec.domain.devices.interfaces?.push({ name: 'blue', bridge: {} });
    spec.volumes?.push({ name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } });
    spec.domain.devices.disks?.push({ name: 'data', disk: { bus: 'scsi' as never } });
    vm.spec.template.metadata = { annotations: { 'descheduler.alpha.kubernetes.io/evict': 'true' } };
    vm.status = {
      ...vm.status,
      volumeRequests: [
        {
          addVolumeOptions: { name: 'more', disk: { disk: {} }, volumeSource: { dataVolume: { name: 'd' } } } as never,
        },
      ],
      memoryDumpRequest: { claimName: 'dump', phase: 'Associating' },
    };
  });
  return world;
}

const ids = [
  ...new Set(
    busy()
      .pass()
      .actions.filter((a) => a.verb !== 'event')
      .map((a) => a.id),
  ),
];

test('every step has something to write', () => {
  expect(ids).toEqual([
    'vmi-interfaces',
    'addvolume more',
    'vmi-hotplug-volumes',
    'vmi-memory-dump',
    'vmi-metadata',
    'vmi-cpu',
    'vmi-nodeSelector',
    'vmi-tolerations',
    'edit',
  ]);
});

test.each(ids)('%s is refused, and then is not: the end is that of one that was never refused', (id) => {
  const [smooth, rough] = [busy(), busy()];
  smooth.settle();
  rough.refuse(id);
  for (let i = 0; i < 6; i++) rough.pass();
  rough.cluster.refuse.clear();
  rough.settle();
  expect(rough.instance.spec).toEqual(smooth.instance.spec);
  expect(rough.vm.spec).toEqual(smooth.vm.spec);
  expect(rough.condition('Failure')).toBeUndefined();
});
