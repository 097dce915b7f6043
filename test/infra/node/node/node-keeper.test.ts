import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KubeClient } from '../../../../infra/node/kube/client.ts';
import { NodeKeeper } from '../../../../infra/node/node/node-keeper.ts';
import { ApiServer } from '../api-server.ts';

let api: ApiServer;
let client: KubeClient;
beforeEach(async () => {
  api = new ApiServer();
  client = new KubeClient({ server: await api.listen(), skipVerification: false });
});
afterEach(async () => {
  client.close();
  await api.close();
});

const host = {
  capabilities: '<capabilities><guest><arch name="x86_64"><machine>q35</machine></arch></guest></capabilities>',
  domainCapabilities: '<domainCapabilities/>',
};
const keeper = (kind: 'libvirt-kvm' | 'libvirt-qemu') =>
  new NodeKeeper({ client, nodeName: 'node-a', dataFolder: tmpdir(), kind, host }, () => {});

describe('the node object', () => {
  test('is made, ready, labelled, schedulable; its lease is held; node case 68: not schedulable after the end', async () => {
    const node = keeper('libvirt-kvm');
    await node.start();
    const object = api.node('node-a');
    expect(object?.metadata.labels).toMatchObject({
      'kubernetes.io/hostname': 'node-a',
      'kubernetes.io/os': 'linux',
      'kubevirt.io/schedulable': 'true',
      'kubevirt.io/cpumanager': 'false',
      'machine-type.node.kubevirt.io/q35': 'true',
    });
    expect(object?.metadata.annotations?.['kubevirt.io/heartbeat']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(object?.status).toMatchObject({
      allocatable: { 'devices.kubevirt.io/kvm': '1000', 'devices.kubevirt.io/tun': '1000', pods: '110' },
    });
    expect(api.lease('node-a')).toMatchObject({ spec: { holderIdentity: 'node-a' } });
    await node.stop();
    expect(api.node('node-a')?.metadata.labels?.['kubevirt.io/schedulable']).toBe('false');
  });

  test('an existing one is taken over; under emulation there is no KVM device', async () => {
    const first = keeper('libvirt-kvm');
    await first.start();
    await first.stop();
    const second = keeper('libvirt-qemu');
    await second.start();
    await second.stop();
    expect(api.node('node-a')?.status).toMatchObject({ allocatable: { 'devices.kubevirt.io/kvm': '0' } });
  });
});
