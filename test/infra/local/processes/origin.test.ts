import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { identityOf } from '../../../../infra/local/processes/identity.ts';
import { endLeftovers } from '../../../../infra/local/processes/origin.ts';
import { scratchFolder } from '../scratch.ts';

const folderOf = (name: string): string =>
  fileURLToPath(new URL(`../../../../infra/local/processes/${name}`, import.meta.url));

/** A stack of two processes whose data are in the folder: the pids of the supervising process and of the two. */
async function startStack(data: string): Promise<number[]> {
  const program = `import { belongToStack } from ${JSON.stringify(folderOf('origin.ts'))};
    import { Supervisor } from ${JSON.stringify(folderOf('supervisor.ts'))};
    belongToStack(${JSON.stringify(data)});
    const supervisor = new Supervisor(${JSON.stringify(data)});
    const script = (name) => "trap 'sleep 0.2; echo " + name + " >> ${data}/order; exit 0' TERM; echo ready; while :; do sleep 0.02; done";
    const pids = [process.pid];
    for (const stage of ['etcd', 'relay']) pids.push((await supervisor.start({ name: stage, file: 'sh', args: ['-c', script(stage)], stage })).pid);
    console.log(JSON.stringify(pids));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  for (const name of ['etcd', 'relay']) {
    const log = join(data, `${name}.log`);
    while (!existsSync(log) || !readFileSync(log, 'utf8').includes('ready')) await sleep(20);
  }
  return JSON.parse(line.toString()) as number[];
}

/** The guard of that stack, by its command line and the folder in its environment. */
function guardOf(data: string, pids: readonly number[]): number {
  const first = Math.min(...pids);
  for (let pid = first; pid < first + 1000; pid++) {
    try {
      const isGuard = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('guard-main');
      if (isGuard && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(data)) return pid;
    } catch {
      // No such process.
    }
  }
  throw new Error('no guard found');
}

test('what a crash of all has left is ended, in its order', async () => {
  const data = scratchFolder();
  const pids = await startStack(data);
  process.kill(guardOf(data, pids), 'SIGKILL');
  process.kill(pids[0] ?? 0, 'SIGKILL');
  const found: number[] = [];
  await endLeftovers(data, (count) => found.push(count));
  expect(found).toEqual([expect.any(Number)]);
  expect(pids.map(identityOf)).toEqual([undefined, undefined, undefined]);
  expect(readFileSync(join(data, 'order'), 'utf8')).toBe('relay\netcd\n');
});

test('where the guard lives it is left to it: nobody is told to end twice', async () => {
  const data = scratchFolder();
  const pids = await startStack(data);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  while (identityOf(pids[0] ?? 0)) await sleep(10);
  await endLeftovers(data, () => undefined);
  expect(pids.map(identityOf)).toEqual([undefined, undefined, undefined]);
  expect(readFileSync(join(data, 'order'), 'utf8')).toBe('relay\netcd\n');
});

test('processes of other data are not touched, and nothing is said where nothing is left', async () => {
  const [data, other] = [scratchFolder(), scratchFolder()];
  const pids = await startStack(other);
  await endLeftovers(data, () => {
    throw new Error('there is nothing');
  });
  expect(pids.map((pid) => identityOf(pid)?.pid)).toEqual(pids);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  while (pids.some((pid) => identityOf(pid))) await sleep(20);
});
