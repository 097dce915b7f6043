import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentBench, beats, NODE, seen } from './agent-bench.ts';
import { RegistryServer } from './images/registry-server.ts';
import { diskLayer } from './images/test-image.ts';
import { hasSmallFileSystems, onSmallFileSystem, withoutSmallFileSystems } from './small-file-system.ts';

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

function agentCommand(dataFolder = bench.dataFolder): [string, ...string[]] {
  const options = ['--kubeconfig', bench.kubeconfig, '--node-name', NODE, '--data', dataFolder];
  return [process.execPath, program, ...options, '--hypervisor', 'simulated'];
}

function agentProcess([command, ...args] = agentCommand()) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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

  test.skipIf(!hasSmallFileSystems)(`a guest for whose disk there is no room${withoutSmallFileSystems}`, async () => {
    const registry = new RegistryServer();
    await registry.listen();
    const image = `${registry.host}/disks/guest@${registry.addImage('disks/guest', 'v1', [diskLayer()])}`;
    // Room for the image, and not for its copy.
    const small = join(bench.dataFolder, 'small');
    const child = agentProcess(onSmallFileSystem(small, '1600k', agentCommand(small)));
    await once(child.stdout, 'data');
    await bench.putPod('guest', image);
    bench.putVmi('guest', image);
    await bench.vmiIn('guest', 'Failed');
    expect(bench.vmi('guest')?.status?.reason).toBe('NodeOutOfDisk');
    expect(bench.pod('guest')?.status).toMatchObject({
      phase: 'Failed',
      message: "no space is left on this node for the guest's disks",
    });
    await bench.deletePod('guest');
    await registry.close();
  });
});
