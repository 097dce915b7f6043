import { expect, test } from 'vitest';
import type { VirtualMachine, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { smallVm, until } from './support/cluster-player.ts';
import { usePlayedStack } from './support/played-stack.ts';

const COUNT = 20;
const used = usePlayedStack('kills');

test('functions and relay killed while 20 VMs start: no VM is lost, and none ever has two unfinished launcher pods', async () => {
  const names = Array.from({ length: COUNT }, (_, i) => `v${i}`);
  for (const [i, name] of names.entries()) {
    await used.stack.request('POST', '/apis/kubevirt.io/v1/namespaces/kills/virtualmachines', smallVm(name));
    // From here on there is a leader to kill.
    if (i === 0) await until('a first pod', () => used.player.podsOf.size > 0);
    if (i === COUNT / 4) process.kill(used.stack.pids.functions[0] ?? 0, 'SIGKILL');
    if (i === COUNT / 2) process.kill(used.stack.pids.relay[0] ?? 0, 'SIGKILL');
  }
  await until('all VMs running', async () => {
    const vms = await used.player.list<VirtualMachine>('virtualmachines');
    return vms.length === COUNT && vms.every((vm) => vm.status?.printableStatus === 'Running');
  });
  expect([...used.player.doubles]).toEqual([]);
  for (const name of names) expect(used.player.podsOf.get(name)?.size).toBe(1);
});

test('they can be stopped again, and nothing is left of them', async () => {
  for (const vm of await used.player.list<VirtualMachine>('virtualmachines')) {
    await used.stack.request('DELETE', `/apis/kubevirt.io/v1/namespaces/kills/virtualmachines/${vm.metadata.name}`);
  }
  await until('all gone', async () => {
    const left = [
      ...(await used.player.list('virtualmachines')),
      ...(await used.player.list<VirtualMachineInstance>('virtualmachineinstances')),
    ];
    return left.length === 0 && (await used.player.list('pods', '/api/v1')).length === 0;
  });
  expect([...used.player.doubles]).toEqual([]);
});
