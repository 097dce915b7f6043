// A disk that was grown online went unnoticed where the provisioner had rounded up before: only the capacity was looked at
// (KubeVirt PR 14695).
import { expect, test } from 'vitest';
import { anyController } from '../../functions/core/controller.ts';
import type { PersistentVolumeClaim } from '../../functions/core/objects.ts';
import { vmi as controller } from '../../functions/vmi/reads.ts';
import { Deliveries } from '../events/relay/support/deliveries.ts';
import { bound, claim, handedOver, runningPod } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }];
const instance = handedOver('Running', { spec: { domain: { devices: {} }, volumes } });
const disk = (request: string, extra: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
  ...claim('disk', { ...extra, spec: { resources: { requests: { storage: request } } } }),
  status: { phase: 'Bound', capacity: { storage: '50Gi' } },
});

async function woken(change: PersistentVolumeClaim) {
  const relay = new Deliveries([anyController(controller)], instance, disk('10Gi'));
  await relay.start();
  relay.see(change);
  return relay.newKeys();
}

test('vmi case 53: the request grew, the capacity stays: the key comes', async () => {
  expect(await woken(disk('12Gi'))).toEqual(['vmi default/testvmi']);
});

test('vmi case 53: only a label changed: it does not', async () => {
  expect(await woken(disk('10Gi', { metadata: { name: 'disk', labels: { a: 'b' } } }))).toEqual([]);
});

test('the VMI shows the new request', () => {
  const world = worldOf(
    instance,
    runningPod({ spec: { nodeName: 'node01', volumes: [{ name: 'disk' }] } }),
    bound('disk'),
  );
  world.settle();
  world.put(disk('12Gi'));
  world.settle();
  expect(world.volume('disk')?.persistentVolumeClaimInfo?.requests).toEqual({ storage: '12Gi' });
});
