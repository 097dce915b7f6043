/** What npm is told, or done to, ends everything: no process is left, and no folder of a stack whose data is thrown away. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { until } from './support/cluster-player.ts';
import { killAllOf, processesOf } from './support/processes-of.ts';
import { type Program, startProgram } from './support/program.ts';

// Sockets lie in it: a short path.
const folder = mkdtempSync(join(tmpdir(), 'vfs-'));
/** Every process of these tests has the folder's path in its environment. */
const env = { VIRT_FUNCTIONS_DATA: join(folder, 'd'), TMPDIR: folder };

afterEach(() => killAllOf(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const commands = [
  { name: 'npm start', args: ['start'], ready: '| beat ' },
  { name: 'npm run stack -- --bare', args: ['run', 'stack', '--', '--bare'], ready: '"kubeconfig"' },
];

function npm(args: readonly string[]): Program {
  return startProgram('npm', args, env);
}

async function nothingIsLeft(): Promise<void> {
  await until('no process', () => processesOf(folder).length === 0);
  expect(readdirSync(folder).filter((name) => name.startsWith('virt-functions-'))).toEqual([]);
}

for (const { name, args, ready } of commands) {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`${name}: ${signal} to npm`, async () => {
      const program = npm(args);
      await program.says(ready);
      program.process.kill(signal);
      await program.exited;
      await nothingIsLeft();
    });
  }
}

test.each([
  { moment: 'etcd is being started', word: 'etcd ' },
  { moment: 'the API server is being started', word: 'kube-apiserver ' },
])('SIGTERM while $moment', async ({ word }) => {
  const program = npm(['run', 'stack', '--', '--bare']);
  await until(word, () => processesOf(folder).some(({ command }) => command.includes(word)));
  program.process.kill('SIGTERM');
  await program.exited;
  await nothingIsLeft();
});

test('a bare stack whose own process is killed leaves nothing', async () => {
  const program = npm(['run', 'stack', '--', '--bare']);
  await program.says('"kubeconfig"');
  const stack = processesOf(folder).find(({ command }) => command.includes(join('infra', 'local', 'stack.ts')));
  process.kill(stack?.pid ?? 0, 'SIGKILL');
  await program.exited;
  await nothingIsLeft();
});
