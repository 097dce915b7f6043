import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { VirtualMachine } from '../../functions/core/objects.ts';
import { smallVm, until } from './support/cluster-player.ts';
import { usePlayedStack } from './support/played-stack.ts';

const COUNT = 50;
const NAMESPACE = 'take-over';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kubevirt/leases/virt-controller';
const used = usePlayedStack(NAMESPACE, '--replicas', '2');

async function create(from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    await used.stack.request('POST', `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines`, smallVm(`v${i}`));
  }
}

/** Index of the relay that holds virt-controller's Lease. */
async function leader(): Promise<number> {
  const { spec } = (await used.stack.request('GET', LEASE)) as { spec: { holderIdentity: string } };
  return Number(/-(\d+)$/.exec(spec.holderIdentity)?.[1]);
}

async function allRunning(): Promise<void> {
  await until('all VMs running', async () => {
    const vms = await used.player.list<VirtualMachine>('virtualmachines');
    return vms.length === COUNT && vms.every((vm) => vm.status?.printableStatus === 'Running');
  });
}

test('the leading relay is killed while 50 VMs start: the other takes over, no VM is lost, no second unfinished pod', async () => {
  await create(0, COUNT / 2);
  await until('some pods', () => used.player.podsOf.size >= 5);
  const first = await leader();
  process.kill(used.stack.pids.relay[first] ?? 0, 'SIGKILL');
  await create(COUNT / 2, COUNT);
  await allRunning();
  expect([...used.player.doubles]).toEqual([]);
  for (let i = 0; i < COUNT; i++) expect(used.player.podsOf.get(`v${i}`)?.size).toBe(1);
});

test('functions that are restarted again and again change nothing', async () => {
  for (let i = 0; i < COUNT / 5; i++) {
    await used.stack.request('DELETE', `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines/v${i}`);
  }
  for (let i = 0; i < 4; i++) {
    used.stack.killFunctions();
    await sleep(500);
  }
  await until(
    'deleted ones gone',
    async () => (await used.player.list('virtualmachines')).length === COUNT - COUNT / 5,
  );
  await create(0, COUNT / 5);
  await allRunning();
  expect([...used.player.doubles]).toEqual([]);
});
