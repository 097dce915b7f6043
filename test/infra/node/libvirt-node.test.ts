import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Daemon } from '../../../infra/node/hypervisor/libvirt/daemon.ts';
import { prepareDaemonFolder } from '../../../infra/node/hypervisor/libvirt/daemon-folder.ts';
import { Virsh } from '../../../infra/node/hypervisor/libvirt/virsh.ts';
import { daemonMode, missingPrograms, probeHypervisor } from '../../../infra/node/hypervisor/probe.ts';
import { AgentBench, beats, NODE, seen } from './agent-bench.ts';
import { RegistryServer } from './images/registry-server.ts';
import { diskLayer, guestDisk } from './images/test-image.ts';

const bench = new AgentBench();
const missing = missingPrograms();
const probe = await probeHypervisor({ dataFolder: bench.dataFolder });
// On a machine that has the programs, continuous integration wants to see why they cannot be used.
const skip = probe.kind === 'simulated' && (missing.length > 0 || process.env.CI !== 'true');
if (skip) rmSync(bench.dataFolder, { recursive: true });

describe.skipIf(skip)(`a node with libvirt${skip ? ` (skipped: ${probe.reason})` : ''}`, { timeout: 180_000 }, () => {
  const registry = new RegistryServer();
  let daemon: Daemon;
  let virsh: Virsh;
  beforeAll(async () => {
    await registry.listen();
    await bench.listen();
    await bench.startAgent('libvirt');
    const folder = prepareDaemonFolder(daemonMode(), join(bench.dataFolder, 'libvirt'));
    daemon = new Daemon(folder);
    virsh = new Virsh(folder.mode, folder.socket);
  }, 120_000);
  afterAll(async () => {
    await bench.close();
    await registry.close();
  }, 90_000);

  const kill = (pid: number | undefined, signal: NodeJS.Signals): void => {
    if (pid === undefined) throw new Error('there is no such process');
    process.kill(pid, signal);
  };
  const ended = async (name: string, phase: string) => {
    await bench.vmiIn(name, 'Succeeded', 'Failed');
    expect(bench.vmi(name)?.status?.phase).toBe(phase);
    expect(bench.pod(name)?.status?.phase).toBe(phase);
  };

  test('a guest boots from an image of a registry, named by its digest', async () => {
    const digest = registry.addImage('disks/guest', 'v1', [diskLayer(guestDisk({ powerOffAfterBeats: 2 }))]);
    const image = `${registry.host}/disks/guest@${digest}`;
    await bench.run('image', {}, image);
    const disk = bench.pod('image')?.status?.initContainerStatuses?.find((s) => s.name === 'volumeboot');
    expect(disk?.imageID).toBe(image);
    await ended('image', 'Succeeded');
    expect(bench.consoleOf('image')).toBe('virt-functions guest up\r\nbeat 1\r\nbeat 2\r\n');
    await bench.deletePod('image');
  });

  test('a deleted pod: the guest is asked to shut down, and destroyed when its time is over', async () => {
    await bench.run('kind');
    await bench.deletePod('kind');
    expect(bench.vmi('kind')?.status?.phase).toBe('Succeeded');
    expect(bench.log.some((line) => line.includes('default_kind: Succeeded, the guest powered off'))).toBe(true);
    // Not a guest that knows what a power button is.
    const digest = registry.addImage('disks/deaf', 'v1', [diskLayer(Buffer.alloc(1024 * 1024))]);
    const image = `${registry.host}/disks/deaf@${digest}`;
    await bench.putPod('deaf', image);
    bench.putVmi('deaf', image, (spec) => {
      spec.terminationGracePeriodSeconds = 3;
    });
    await bench.vmiIn('deaf', 'Running');
    await bench.deletePod('deaf');
    expect(bench.vmi('deaf')?.status?.phase).toBe('Succeeded');
    expect(bench.log.some((line) => line.includes('default_deaf: Succeeded, the guest was ended'))).toBe(true);
  });

  test('a guest whose QEMU is killed has crashed', async () => {
    await bench.run('crash');
    kill(bench.qemuOf('crash'), 'SIGKILL');
    await ended('crash', 'Failed');
    expect(bench.vmi('crash')?.status?.reason).toBe('GuestCrashed');
    expect(bench.pod('crash')?.status?.message).toBe("the guest's process ended unexpectedly");
  });

  test('a guest whose operating system panics: it fails, and nothing of it is left', async () => {
    await bench.run('panic', { panicAfterBeats: 1 });
    await ended('panic', 'Failed');
    expect(bench.vmi('panic')?.status?.reason).toBe('GuestPanicked');
    expect(bench.pod('panic')?.status?.message).toBe("the guest's operating system panicked");
    expect(bench.qemuOf('panic')).toBeUndefined();
    expect(await virsh.call('list', '--all', '--name')).not.toContain('default_panic');
  });

  test('a guest that is destroyed through libvirt was killed', async () => {
    await bench.run('killed');
    await virsh.call('destroy', 'default_killed');
    await ended('killed', 'Failed');
    expect(bench.vmi('killed')?.status?.reason).toBe('GuestKilled');
  });

  test('a guest that cannot be started: the reason is told, and the next of that name starts', async () => {
    await bench.putPod('model');
    bench.putVmi('model', undefined, (spec) => {
      spec.domain.cpu = { model: 'Abacus-v1' };
    });
    await ended('model', 'Failed');
    const told = expect.stringMatching(/^the guest failed to start: .*Abacus-v1/);
    expect(bench.vmi('model')?.status?.reason).toBe('GuestNotStarted');
    expect(bench.pod('model')?.status?.message).toEqual(told);
    const event = bench.api.events().find((e) => e.involvedObject?.name === 'model');
    expect(event).toMatchObject({ type: 'Warning', reason: 'SyncFailed', message: told });
    await bench.deletePod('model');
    await bench.run('model');
    await bench.deletePod('model');
  });

  test('a claim is a disk of the guest, and keeps its content over guests', async () => {
    await bench.putClaim('data');
    await bench.run('claim', {}, undefined, 'data');
    expect(bench.consoleOf('claim')).toContain('disk boot 1\r\n');
    await bench.deletePod('claim');
    await bench.run('claim', {}, undefined, 'data');
    expect(bench.consoleOf('claim')).toContain('disk boot 2\r\n');
    await bench.deletePod('claim');
  });

  test('a claim is one guest’s: a second one with it does not start, the first goes on', async () => {
    await bench.run('first', {}, undefined, 'data');
    await bench.putPod('second', undefined, {}, 'data');
    bench.putVmi('second', undefined, (spec) => {
      spec.volumes?.push({ name: 'data', persistentVolumeClaim: { claimName: 'data' } });
    });
    await ended('second', 'Failed');
    expect(bench.pod('second')?.status?.message).toMatch(/lock/);
    expect(bench.qemuOf('first')).toBeDefined();
    await bench.deletePod('first');
    await bench.deletePod('second');
  });

  test('a volume is plugged into a running guest and out of it', async () => {
    await bench.putClaim('extra');
    await bench.run('host');
    await bench.plug('host', 'extra');
    await seen(() => bench.volumeStatus('host', 'extra')?.phase === 'Ready');
    expect(bench.volumeStatus('host', 'extra')?.target).toBe('sda');
    expect(await virsh.call('domblklist', 'default_host')).toContain(bench.diskOf('extra'));
    await bench.stopAgent();
    await bench.startAgent('libvirt');
    bench.changeVmi('host', ({ spec }) => {
      spec.volumes = spec.volumes?.filter(({ name }) => name !== 'extra');
      spec.domain.devices.disks = spec.domain.devices.disks?.filter(({ name }) => name !== 'extra');
    });
    await seen(() => bench.volumeStatus('host', 'extra')?.phase === 'UnMountedFromPod');
    expect(await virsh.call('domblklist', 'default_host')).not.toContain(bench.diskOf('extra'));
    await bench.deletePod('host');
  });

  test('the agent is away: guests go on, and what ended meanwhile is told by the next one', async () => {
    await bench.run('stays');
    await bench.run('leaves', { powerOffAfterBeats: 3 });
    await bench.run('dies');
    await bench.run('panics', { panicAfterBeats: 4 });
    const [before, qemu] = [bench.written('stays'), bench.qemuOf('stays')];
    await bench.stopAgent();
    const seenBeats = beats(bench.consoleOf('stays'));
    kill(bench.qemuOf('dies'), 'SIGKILL');
    await seen(() => bench.qemuOf('leaves') === undefined && bench.qemuOf('dies') === undefined);
    await seen(() => bench.consoleOf('panics').includes('beat 4'));
    await bench.startAgent('libvirt');
    await ended('leaves', 'Succeeded');
    await ended('dies', 'Failed');
    await ended('panics', 'Failed');
    expect(bench.vmi('panics')?.status?.reason).toBe('GuestPanicked');
    await seen(() => beats(bench.consoleOf('stays')) > seenBeats + 1);
    expect(bench.qemuOf('stays')).toBe(qemu);
    expect(bench.written('stays')).toEqual(before);
  });

  test('libvirtd is killed: guests go on, what ended meanwhile is found, new ones start, the node stays ready', async () => {
    await bench.run('victim');
    const [before, qemu, old] = [bench.written('stays'), bench.qemuOf('stays'), daemon.pid];
    kill(old, 'SIGKILL');
    kill(bench.qemuOf('victim'), 'SIGKILL');
    await ended('victim', 'Failed');
    expect(daemon.pid).not.toBe(old);
    await bench.run('after');
    expect(bench.qemuOf('stays')).toBe(qemu);
    expect(bench.written('stays')).toEqual(before);
    expect(bench.nodeReady()).toBe('True');
    await bench.deletePod('after');
  });

  test('libvirtd is stopped for a moment: nothing comes of it', async () => {
    const old = daemon.pid;
    kill(old, 'SIGSTOP');
    await sleep(4000);
    kill(old, 'SIGCONT');
    await bench.run('moment');
    expect(daemon.pid).toBe(old);
    expect(bench.nodeReady()).toBe('True');
    await bench.deletePod('moment');
  });

  test('libvirtd hangs: the node is not ready, pods go on as far as they can, the daemon is replaced', async () => {
    const [before, qemu, old] = [bench.written('stays'), bench.qemuOf('stays'), daemon.pid];
    kill(old, 'SIGSTOP');
    const digest = registry.addImage('disks/late', 'v1', [diskLayer()]);
    const image = `${registry.host}/disks/late@${digest}`;
    const pulled = bench.putPod('late', image);
    const schedulable = () => bench.api.node(NODE)?.metadata.labels?.['kubevirt.io/schedulable'];
    await seen(() => bench.nodeReady() === 'False');
    await seen(() => schedulable() === 'false');
    expect(registry.log).toContain(`/v2/disks/late/manifests/${digest}`);
    await seen(() => daemon.pid !== undefined && daemon.pid !== old);
    await seen(() => bench.nodeReady() === 'True');
    await seen(() => schedulable() === 'true');
    await pulled;
    bench.putVmi('late', image);
    await bench.vmiIn('late', 'Running');
    expect(bench.qemuOf('stays')).toBe(qemu);
    expect(bench.written('stays')).toEqual(before);
  });

  test('the end of everything, with a daemon that hangs: guests and daemon are gone', async () => {
    const qemus = [bench.qemuOf('stays'), bench.qemuOf('late')];
    expect(qemus).not.toContain(undefined);
    kill(daemon.pid, 'SIGSTOP');
    await bench.stopAgent('stop');
    expect([bench.qemuOf('stays'), bench.qemuOf('late'), daemon.pid]).toEqual([undefined, undefined, undefined]);
  });
});
