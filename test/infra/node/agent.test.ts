import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentBench, beats, NODE, seen } from './agent-bench.ts';

const program = fileURLToPath(new URL('../../../infra/node/main.ts', import.meta.url));
let bench: AgentBench;
const children: ChildProcess[] = [];
beforeEach(async () => {
  bench = new AgentBench();
  await bench.listen();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await bench.close();
});

function agentProcess() {
  const { kubeconfig, dataFolder } = bench;
  const args = ['--kubeconfig', kubeconfig, '--node-name', NODE, '--data', dataFolder, '--hypervisor', 'simulated'];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

describe('the agent as a process', { timeout: 60_000 }, () => {
  test('killed, it is followed by another one that finds the guests', async () => {
    const first = agentProcess();
    await once(first.stdout, 'data');
    await bench.run('guest');
    const before = bench.written('guest');
    const exited = once(first, 'exit');
    first.kill('SIGKILL');
    await exited;
    const second = agentProcess();
    await once(second.stdout, 'data');
    await seen(() => beats(bench.consoleOf('guest')) > 3);
    expect(bench.written('guest')).toEqual(before);
  });

  test('a second one on the same data folder is refused in one line; the first goes on', async () => {
    const first = agentProcess();
    await once(first.stdout, 'data');
    const second = agentProcess();
    const [said, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')]);
    expect(code).toBe(1);
    expect(said.trim().split('\n')).toEqual([
      expect.stringContaining(`data folder ${bench.dataFolder} is in use by another node agent (process ${first.pid})`),
    ]);
    await bench.run('guest');
  });
});
