import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { consoleLogPath, type HypervisorChoice, type NodeAgent, startNodeAgent } from '../../../infra/node/agent.ts';
import type { GuestOptions } from '../../../infra/node/guest/boot-sector.ts';
import { writeGuestImage } from '../../../infra/node/guest/image.ts';
import { ApiServer } from './api-server.ts';
import { launcherPod, scheduledVmi } from './launcher/objects.ts';

export const NODE = 'node-a';

/** A whole node agent on an API server of the test's own, and the part of scheduler and VMI controller. */
export class AgentBench {
  readonly dataFolder = mkdtempSync(join(tmpdir(), 'vf-node-'));
  readonly kubeconfig = join(this.dataFolder, 'kubeconfig');
  readonly api = new ApiServer();
  readonly log: string[] = [];
  #agent: NodeAgent | undefined;

  async listen(): Promise<void> {
    mkdirSync(join(this.dataFolder, 'images'));
    const server = (await this.api.listen()).href;
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server } }],
      users: [{ name: 'test', user: { token: 'none' } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    };
    writeFileSync(this.kubeconfig, JSON.stringify(config));
  }

  async startAgent(hypervisor: HypervisorChoice): Promise<void> {
    const { dataFolder, kubeconfig, log } = this;
    this.#agent = await startNodeAgent({
      kubeconfig,
      nodeName: NODE,
      dataFolder,
      hypervisor,
      log: (line) => log.push(line),
    });
  }

  async stopAgent(guests: 'leave' | 'stop' = 'leave'): Promise<void> {
    await this.#agent?.stop({ guests });
    this.#agent = undefined;
  }

  async close(): Promise<void> {
    await this.stopAgent('stop');
    await this.api.close();
    rmSync(this.dataFolder, { recursive: true });
  }

  pod(name: string): Pod | undefined {
    return this.api.pod(`virt-launcher-${name}`) as Pod | undefined;
  }
  vmi(name: string): VirtualMachineInstance | undefined {
    return this.api.vmi(name) as VirtualMachineInstance | undefined;
  }
  nodeReady(): string | undefined {
    const conditions = this.api.node(NODE)?.status?.conditions as { type: string; status: string }[] | undefined;
    return conditions?.find((c) => c.type === 'Ready')?.status;
  }
  consoleOf(name: string): string {
    const path = consoleLogPath(this.dataFolder, `pod-of-${name}`);
    return existsSync(path) ? readFileSync(path, 'latin1') : '';
  }

  /** A pod bound to the node, with an image of the node's folder unless another is named; it is Running afterwards. */
  async putPod(name: string, image?: string, guest: GuestOptions = {}): Promise<void> {
    if (image === undefined) await writeGuestImage(join(this.dataFolder, 'images', name), guest);
    this.api.putPod(launcherPod(name, `00000000-0000-4000-8000-${uidPart(name)}`, image ?? `local/${name}`));
    await seen(() => this.pod(name)?.status?.phase === 'Running');
  }

  /** Hands the VMI of such a pod over. */
  putVmi(name: string, image?: string, change: (spec: VirtualMachineInstance['spec']) => void = () => {}): void {
    const vmi = scheduledVmi(name, `00000000-0000-4000-8000-${uidPart(name)}`, image ?? `local/${name}`);
    change(vmi.spec);
    this.api.putVmi(vmi);
  }

  /** Both; the guest runs and beats afterwards. */
  async run(name: string, guest: GuestOptions = {}, image?: string): Promise<void> {
    await this.putPod(name, image, guest);
    this.putVmi(name, image);
    await this.vmiIn(name, 'Running', 'Succeeded', 'Failed');
    await seen(() => this.consoleOf(name).includes('beat 1'));
  }

  vmiIn(name: string, ...phases: readonly string[]): Promise<void> {
    return seen(() => phases.includes(this.vmi(name)?.status?.phase ?? ''));
  }

  async deletePod(name: string): Promise<void> {
    this.api.deletePod(`virt-launcher-${name}`, new Date(Date.now() + 30_000).toISOString());
    await seen(() => this.pod(name) === undefined);
  }

  /** Versions of what the agent writes for a guest. */
  written(name: string): readonly unknown[] {
    return [this.pod(name)?.metadata.resourceVersion, this.vmi(name)?.metadata.resourceVersion];
  }

  /** Process id of a guest's QEMU, known by its disk. */
  qemuOf(name: string): number | undefined {
    const disk = `${this.dataFolder}/guests/pod-of-${name}/disks/boot`;
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry) && commandLine(entry).startsWith('/') && commandLine(entry).includes(disk))
      .map(Number)[0];
  }
}

/** Waits until something is so; the test's time limit ends it. */
export async function seen(what: () => boolean): Promise<void> {
  while (!what()) await sleep(50);
}

/** Beats that a console shows. */
export function beats(text: string): number {
  return text.split('beat ').length - 1;
}

function uidPart(name: string): string {
  return Buffer.from(name.padEnd(6, '-').slice(0, 6)).toString('hex');
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
