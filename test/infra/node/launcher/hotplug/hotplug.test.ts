import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Pod } from '../../../../../functions/core/objects.ts';
import { AgentBench, seen } from '../../agent-bench.ts';
import { attachmentPod } from '../objects.ts';

let bench: AgentBench;
beforeEach(async () => {
  bench = new AgentBench();
  await bench.listen();
  await bench.startAgent('simulated');
});
afterEach(() => bench.close());

const phases = (vmi: string) =>
  bench.api
    .events()
    .filter((e) => e.involvedObject?.name === vmi)
    .map((e) => e.reason);
const inPhase = (volume: string, phase: string) => seen(() => bench.volumeStatus('vm', volume)?.phase === phase);
const unplug = (volume: string) =>
  bench.changeVmi('vm', ({ spec }) => {
    spec.volumes = spec.volumes?.filter(({ name }) => name !== volume);
    spec.domain.devices.disks = spec.domain.devices.disks?.filter(({ name }) => name !== volume);
  });

describe('volumes of a running guest', { timeout: 60_000 }, () => {
  test('one is plugged in and out, each phase told', async () => {
    await bench.putClaim('extra');
    await bench.run('vm');
    await bench.plug('vm', 'extra');
    await inPhase('extra', 'Ready');
    expect(bench.volumeStatus('vm', 'extra')).toMatchObject({ target: 'sda', reason: 'VolumeReady' });
    const container = bench.attachment('extra')?.status?.containerStatuses?.[0];
    expect([container?.ready, bench.attachment('extra')?.status?.podIP]).toEqual([true, undefined]);
    const settled = bench.written('vm');
    await sleep(2500);
    expect(bench.written('vm')).toEqual(settled);
    unplug('extra');
    await inPhase('extra', 'UnMountedFromPod');
    expect(bench.volumeStatus('vm', 'extra')?.target).toBe('');
    expect(phases('vm')).toEqual(['VolumeMountedToPod', 'VolumeReady', 'VolumeUnMountedFromPod']);
    // The controller's to delete, not the node's.
    expect(bench.attachment('extra')?.status?.phase).toBe('Running');
  });

  test('two are plugged in, the agent comes back: they stay, and are known', async () => {
    await bench.putClaim('one');
    await bench.putClaim('two');
    await bench.run('vm');
    await bench.plug('vm', 'one');
    await bench.plug('vm', 'two', { disk: { bus: 'virtio' } });
    await inPhase('one', 'Ready');
    await inPhase('two', 'Ready');
    const before = bench.written('vm');
    await bench.stopAgent();
    await bench.startAgent('simulated');
    await sleep(2500);
    expect(bench.written('vm')).toEqual(before);
    expect(['one', 'two'].map((name) => bench.volumeStatus('vm', name)?.target)).toEqual(['sda', 'vdb']);
    unplug('one');
    await inPhase('one', 'UnMountedFromPod');
    expect(bench.volumeStatus('vm', 'two')?.phase).toBe('Ready');
  });

  test('a claim that is deleted under a guest keeps its file as long as the guest has it', async () => {
    await bench.putClaim('extra');
    await bench.run('vm');
    await bench.plug('vm', 'extra');
    await inPhase('extra', 'Ready');
    bench.releaseClaim('extra');
    await sleep(300);
    expect(existsSync(bench.diskOf('extra'))).toBe(true);
    await bench.deletePod('vm');
    await seen(() => !existsSync(bench.diskOf('extra')));
  });

  test('a disk that cannot be plugged in is told at the VMI; others can', async () => {
    await bench.putClaim('drive');
    await bench.putClaim('extra');
    await bench.run('vm');
    await bench.plug('vm', 'drive', { cdrom: { bus: 'sata' } });
    await seen(() => phases('vm').includes('SyncFailed'));
    expect(bench.volumeStatus('vm', 'drive')?.phase).toBe('MountedToPod');
    await bench.plug('vm', 'extra');
    await inPhase('extra', 'Ready');
    unplug('drive');
    await inPhase('drive', 'UnMountedFromPod');
  });

  test('pods that bring volumes wait for their claims, say what is wrong with them, and go when they are deleted', async () => {
    bench.api.putPod(attachmentPod('vm', 'late'));
    const waiting = () => bench.attachment('late')?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
    await seen(() => waiting() === 'ContainerCreating');
    await seen(() => bench.api.events().some((e) => e.reason === 'FailedMount'));
    expect(bench.api.events()[0]?.message).toContain('persistentvolumeclaim "late" not found');
    await bench.putClaim('late');
    await seen(() => bench.attachment('late')?.status?.phase === 'Running');
    bench.api.deletePod('hp-volume-late', new Date().toISOString());
    await seen(() => bench.attachment('late') === undefined);
  });

  test('pods that only have volumes provisioned succeed', async () => {
    await bench.putClaim('data');
    const trigger = attachmentPod('vm', 'data');
    const annotations = { ...trigger.metadata.annotations, 'kubevirt.io/ephemeral-provisioning': 'true' };
    bench.api.putPod({ ...trigger, metadata: { ...trigger.metadata, annotations } } as Pod);
    await seen(() => bench.attachment('data')?.status?.phase === 'Succeeded');
  });
});
