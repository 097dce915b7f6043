import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tryLock, waitForLock } from '../../../infra/local/lock.ts';

const unique = (): string => `${process.pid}-${Math.random()}`;

test('a second holder is told who has the lock, and gets it when it is free', async () => {
  const path = unique();
  const first = await tryLock('test', path);
  if (first.kind !== 'held') throw new Error('the lock should be free');
  expect(await tryLock('test', path)).toEqual({ kind: 'taken', pid: process.pid });
  expect((await tryLock('test', unique())).kind).toBe('held');
  const waited: (number | undefined)[] = [];
  const second = waitForLock('test', path, (pid) => {
    waited.push(pid);
    void first.lock.release();
  });
  await (await second).release();
  expect(waited).toEqual([process.pid]);
});

test('a lock ends with its holder, also when that is killed', async () => {
  const path = unique();
  const module = fileURLToPath(new URL('../../../infra/local/lock.ts', import.meta.url));
  const program = `import { tryLock } from ${JSON.stringify(module)};
    console.log((await tryLock('test', ${JSON.stringify(path)})).kind); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(await tryLock('test', path)).toEqual({ kind: 'taken', pid: holder.pid });
  const exited = once(holder, 'exit');
  holder.kill('SIGKILL');
  await exited;
  const after = await tryLock('test', path);
  expect(after.kind).toBe('held');
});
