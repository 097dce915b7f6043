import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { identityOf } from '../../../../infra/local/processes/identity.ts';
import { ProcessCrashed } from '../../../../infra/local/processes/managed-process.ts';
import type { Stage } from '../../../../infra/local/processes/stages.ts';
import { crashOf, Supervisor } from '../../../../infra/local/processes/supervisor.ts';
import { scratchFolder } from '../scratch.ts';

/** Says `ready`, and on SIGTERM appends its name to a file before it ends. */
function wellBehaved(name: string, order: string): string[] {
  return ['-c', `trap 'sleep 0.1; echo ${name} >> ${order}; exit 0' TERM; echo ready; while :; do sleep 0.02; done`];
}

const stubborn = ['-c', `trap '' TERM; echo ready; while :; do sleep 0.02; done`];

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20);
}

const isReady = (log: string): boolean => existsSync(log) && readFileSync(log, 'utf8').includes('ready');

test('processes end in the order of their stages, whatever order they started in', async () => {
  const folder = scratchFolder();
  const order = join(folder, 'order');
  const supervisor = new Supervisor(folder);
  const stages: Stage[] = ['etcd', 'relay', 'api server', 'functions', 'controllers', 'node agent'];
  for (const stage of stages) {
    const name = stage.replace(' ', '-');
    const process = await supervisor.start({ name, file: 'sh', args: wellBehaved(name, order), stage });
    await until(() => isReady(process.logFile));
  }
  await supervisor.stop();
  expect(readFileSync(order, 'utf8').trim().split('\n')).toEqual([
    'relay',
    'functions',
    'node-agent',
    'controllers',
    'api-server',
    'etcd',
  ]);
  expect(supervisor.running).toEqual([]);
});

test('a process that ignores SIGTERM is killed after its grace, with what it has started', async () => {
  const folder = scratchFolder();
  const supervisor = new Supervisor(folder);
  const script = `sleep 1000 & echo $! > ${folder}/helper; ${stubborn[1]}`;
  const process = await supervisor.start({
    name: 'it',
    file: 'sh',
    args: ['-c', script],
    stage: 'relay',
    graceMs: 200,
  });
  await until(() => isReady(process.logFile));
  const helper = Number(readFileSync(join(folder, 'helper'), 'utf8'));
  await supervisor.stop();
  expect(await process.exited).toEqual({ code: null, signal: 'SIGKILL', asked: true });
  await until(() => identityOf(helper) === undefined);
});

test('a crash is told from a stop, and the error names the process and its last words', async () => {
  const supervisor = new Supervisor(scratchFolder());
  const args = ['-c', 'echo a; echo the reason; exit 3'];
  const process = await supervisor.start({ name: 'fragile', file: 'sh', args, stage: 'relay' });
  const exit = await process.exited;
  expect(exit).toEqual({ code: 3, signal: null, asked: false });
  expect(crashOf(process, exit).message).toBe('fragile ended with code 3; its last words:\n  a\n  the reason');
});

test('a file that cannot be run is named', async () => {
  const supervisor = new Supervisor(scratchFolder());
  const start = supervisor.start({ name: 'missing', file: '/nowhere/it', args: [], stage: 'relay' });
  await expect(start).rejects.toThrow(ProcessCrashed);
  await expect(start).rejects.toThrow('missing could not be started');
});

test('the log of the start before is kept once', async () => {
  const folder = scratchFolder();
  const supervisor = new Supervisor(folder);
  for (const word of ['first', 'second']) {
    await (await supervisor.start({ name: 'p', file: 'echo', args: [word], stage: 'relay' })).exited;
  }
  expect(readFileSync(join(folder, 'p.log'), 'utf8')).toBe('second\n');
  expect(readFileSync(join(folder, 'p.log.previous'), 'utf8')).toBe('first\n');
});

test('a Node program talks to its parent', async () => {
  const supervisor = new Supervisor(scratchFolder());
  const message = await new Promise((done) => {
    const args = ['-e', 'process.send({ port: 1 }); process.disconnect()'];
    void supervisor.start({ name: 'n', file: process.execPath, args, stage: 'functions', onMessage: done });
  });
  expect(message).toEqual({ port: 1 });
});

test('all processes end in their order when their parent is gone by SIGKILL', async () => {
  const folder = scratchFolder();
  const order = join(folder, 'order');
  const module = fileURLToPath(new URL('../../../../infra/local/processes/supervisor.ts', import.meta.url));
  const specs = [
    { name: 'etcd', file: 'sh', args: wellBehaved('etcd', order), stage: 'etcd' },
    { name: 'stubborn', file: 'sh', args: stubborn, stage: 'controllers', graceMs: 300 },
    { name: 'relay', file: 'sh', args: wellBehaved('relay', order), stage: 'relay' },
  ];
  const program = `import { Supervisor } from ${JSON.stringify(module)};
    const supervisor = new Supervisor(${JSON.stringify(folder)});
    const pids = [];
    for (const spec of ${JSON.stringify(specs)}) pids.push((await supervisor.start(spec)).pid);
    console.log(JSON.stringify(pids));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const identities = (JSON.parse(line.toString()) as number[]).map((pid) => identityOf(pid));
  expect(identities).not.toContain(undefined);
  for (const { name } of specs) await until(() => isReady(join(folder, `${name}.log`)));
  parent.kill('SIGKILL');
  await until(() => identities.every((identity) => identity && identityOf(identity.pid) === undefined));
  expect(readFileSync(order, 'utf8')).toBe('relay\netcd\n');
});
