/** `npm start` goes on with its data, whenever and however the whole of it was killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Pod, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { connectionOf, kubeRequest } from '../../infra/local/kube-client.ts';
import { checkoutFolder } from '../../infra/local/paths.ts';
import { until } from './support/cluster-player.ts';
import { killAllOf, processesOf } from './support/processes-of.ts';
import { type Program, startProgram } from './support/program.ts';

// Sockets lie in it: a short path.
const data = mkdtempSync(join(tmpdir(), 'vfc-'));
let system: Program;

afterAll(() => {
  killAllOf(data);
  rmSync(data, { recursive: true, force: true });
});

function start(): Program {
  const program = join(checkoutFolder, 'infra', 'local', 'start.ts');
  return startProgram(process.execPath, [program], { VIRT_FUNCTIONS_DATA: data });
}

const isFinal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Waits for the sample VM's console, and sees to it that there is one guest and never a second unfinished launcher pod. */
async function runsAgain(): Promise<void> {
  let ready = false;
  const beats = system.says('| beat ').finally(() => {
    ready = true;
  });
  // Who has nothing to say yet has no kubeconfig of this start either.
  await system.says('relay          leading');
  const request = kubeRequest(connectionOf(join(data, 'kubeconfig')));
  const list = async <T>(path: string): Promise<T[]> => (await request('GET', path)).items as T[];
  const unfinishedPods = async (): Promise<string[]> => {
    const pods = await list<Pod>('/api/v1/namespaces/default/pods');
    return pods.filter((pod) => !isFinal(pod.status?.phase)).map((pod) => pod.metadata.name);
  };
  while (!ready) {
    expect((await unfinishedPods()).length).toBeLessThanOrEqual(1);
    await sleep(100);
  }
  await beats;
  await until('the instance runs', async () => {
    const vmis = await list<VirtualMachineInstance>('/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances');
    return vmis.length === 1 && vmis[0]?.status?.phase === 'Running';
  });
  expect(await unfinishedPods()).toHaveLength(1);
  const guests = processesOf(data).filter(({ command }) => command.includes('-name guest='));
  expect(guests).toHaveLength(system.stdout().includes('guests run on simulated') ? 0 : 1);
  const daemons = processesOf(data).filter(
    ({ command }) => command.includes('daemon.sh') && !command.startsWith('unshare'),
  );
  expect(daemons.length).toBeLessThanOrEqual(1);
}

test('a first start; a second one meanwhile says in one line that it runs', async () => {
  system = start();
  await runsAgain();
  const second = start();
  expect(await second.exited).toBe(1);
  expect(second.stderr()).toBe(`start: it runs already (process ${system.process.pid}); end that one first\n`);
});

test('all of it killed while the VM runs, guest and libvirt too', async () => {
  killAllOf(data);
  system = start();
  await runsAgain();
});

test('all but the guest killed: it goes on', async () => {
  const guest = (): number | undefined =>
    processesOf(data).find(({ command }) => command.includes('-name guest='))?.pid;
  const before = guest();
  for (const { pid, command } of processesOf(data)) {
    if (/node_modules|node |control-plane|virsh/.test(command)) process.kill(pid, 'SIGKILL');
  }
  system = start();
  await runsAgain();
  expect(guest()).toBe(before);
});

test('start alone killed, and the next start follows at once', async () => {
  system.process.kill('SIGKILL');
  await system.exited;
  system = start();
  await runsAgain();
  expect(system.stdout()).toContain('the stack before has left');
});

test('all of it killed while it stops, then while it comes up, four times', async () => {
  system.process.kill('SIGTERM');
  await system.says('stopping');
  await sleep(200);
  killAllOf(data);
  for (const moment of [
    'starting etcd',
    'starting kube-controller-manager',
    'relay          starting',
    'node agent     starting',
  ]) {
    system = start();
    await system.says(moment);
    killAllOf(data);
  }
  system = start();
  await runsAgain();
});

test('SIGTERM: it ends with 0 and nothing is left', async () => {
  system.process.kill('SIGTERM');
  expect(await system.exited).toBe(0);
  // The guard needs a moment to see that there is nothing to be done.
  await until('no process', () => processesOf(data).length === 0);
});
