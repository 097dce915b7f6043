import { existsSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentBench, seen } from '../agent-bench.ts';
import { launcherPod } from './objects.ts';

let bench: AgentBench;
beforeEach(async () => {
  bench = new AgentBench();
  await bench.listen();
  await bench.startAgent('simulated');
});
afterEach(() => bench.close());

/** A guest with a data disk on a claim of its own name. */
async function runWithData(name: string): Promise<void> {
  await bench.run(name, {}, undefined, 'data');
}
const waiting = () => bench.pod('vm')?.status?.containerStatuses?.[0]?.state?.waiting?.reason;

describe('claims of launcher pods', { timeout: 60_000 }, () => {
  test('are disks of the guest, and keep their content over guests', async () => {
    await bench.putClaim('data');
    await runWithData('vm');
    expect(bench.consoleOf('vm')).toContain('disk boot 1\r\n');
    expect(bench.vmi('vm')?.status?.conditions?.find((c) => c.type === 'LiveMigratable')?.status).toBe('False');
    await bench.deletePod('vm');
    await runWithData('vm');
    expect(bench.consoleOf('vm')).toContain('disk boot 2\r\n');
    await bench.deletePod('vm');
    bench.releaseClaim('data');
    await seen(() => !existsSync(bench.diskOf('data')));
  });

  test('a pod waits for its claim, and says what keeps it', async () => {
    bench.api.putPod(launcherPod('vm', 'vmi-1', 'local/vm', 'data'));
    await seen(() => waiting() === 'PodInitializing' || waiting() === 'ContainerCreating');
    await seen(() => bench.api.events().some((e) => e.reason === 'FailedMount'));
    expect(bench.api.events()[0]).toMatchObject({
      involvedObject: { kind: 'Pod', name: 'virt-launcher-vm' },
      message: 'MountVolume.SetUp failed for volume "data" : persistentvolumeclaim "data" not found',
    });
    await bench.putClaim('data');
    await runWithData('vm');
  });

  test('a claim whose file is gone is no empty disk', async () => {
    await bench.putClaim('data');
    rmSync(bench.diskOf('data'));
    bench.api.putPod(launcherPod('vm', 'vmi-1', 'local/vm', 'data'));
    await seen(() => bench.api.events().some((e) => e.message?.includes('is missing on this node') === true));
    expect(bench.pod('vm')?.status?.phase).toBe('Pending');
  });
});
