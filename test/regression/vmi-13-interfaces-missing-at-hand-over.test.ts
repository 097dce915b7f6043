/** VMI-13, pull request 10930 of KubeVirt: interface status came after the hand-over, and SR-IOV devices were not found. */
import { expect, test } from 'vitest';
import { runningPod, vmi } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

test('VMI-13: one write brings the phase Scheduled and the interfaces that Multus reports', () => {
  const reported = [
    { name: 'cluster', interface: 'eth0', default: true },
    { name: 'default/blue', interface: 'net1' },
  ];
  const spec = {
    domain: {
      devices: {
        interfaces: [
          { name: 'default', masquerade: {} },
          { name: 'blue', sriov: {} },
        ],
      },
    },
    networks: [
      { name: 'default', pod: {} },
      { name: 'blue', multus: { networkName: 'blue' } },
    ],
  };
  const annotations = { 'k8s.v1.cni.cncf.io/network-status': JSON.stringify(reported) };
  const world = worldOf(vmi('Scheduling', { spec }), runningPod({ metadata: { annotations } }));
  const writes = world.pass().actions.filter((a) => a.id === 'write vmi');
  expect(writes).toMatchObject([
    {
      verb: 'update',
      object: {
        status: {
          phase: 'Scheduled',
          interfaces: [
            { name: 'default', podInterfaceName: 'eth0' },
            { name: 'blue', podInterfaceName: 'net1', infoSource: 'multus-status' },
          ],
        },
      },
    },
  ]);
});
