import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject, Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { consoleLogPath, type HypervisorChoice, type NodeAgent, startNodeAgent } from '../../../infra/node/agent.ts';
import type { GuestOptions } from '../../../infra/node/guest/boot-sector.ts';
import { writeGuestImage } from '../../../infra/node/guest/image.ts';
import { paths } from '../../../infra/node/kube/paths.ts';
import { volumeNameOf } from '../../../infra/node/storage/volume-object.ts';
import { ApiServer } from './api-server.ts';
import { attachmentPod, launcherPod, scheduledVmi } from './launcher/objects.ts';
import { claim, immediate, uidOf } from './storage/objects.ts';

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
  async putPod(name: string, image?: string, guest: GuestOptions = {}, claimName?: string): Promise<void> {
    if (image === undefined) await writeGuestImage(join(this.dataFolder, 'images', name), guest);
    const uid = `00000000-0000-4000-8000-${uidPart(name)}`;
    this.api.putPod(launcherPod(name, uid, image ?? `local/${name}`, claimName));
    await seen(() => this.pod(name)?.status?.phase === 'Running');
  }

  /** Hands the VMI of such a pod over. */
  putVmi(name: string, image?: string, change: (spec: VirtualMachineInstance['spec']) => void = () => {}): void {
    const vmi = scheduledVmi(name, `00000000-0000-4000-8000-${uidPart(name)}`, image ?? `local/${name}`);
    change(vmi.spec);
    this.api.putVmi(vmi);
  }

  /** Both; the guest runs and beats afterwards. A claim is a second disk. */
  async run(name: string, guest: GuestOptions = {}, image?: string, claimName?: string): Promise<void> {
    await this.putPod(name, image, guest, claimName);
    this.putVmi(name, image, (spec) => {
      if (claimName === undefined) return;
      spec.domain.devices.disks?.push({ name: claimName, disk: { bus: 'virtio' } });
      spec.volumes?.push({ name: claimName, persistentVolumeClaim: { claimName } });
    });
    await this.vmiIn(name, 'Running', 'Succeeded', 'Failed');
    await seen(() => this.consoleOf(name).includes('beat 1'));
  }

  /** A bound claim on a volume of the node; plays kube-controller-manager. */
  async putClaim(name: string, size = '1Mi'): Promise<void> {
    const path = paths.claim('default', name);
    this.api.put(`${paths.storageClasses}/${immediate.metadata.name}`, immediate);
    const wanted = claim(name, immediate, size);
    this.api.put(path, wanted);
    const volumeName = volumeNameOf(wanted);
    await seen(() => this.api.get(paths.volume(volumeName)) !== undefined);
    const bound = { ...wanted, spec: { ...wanted.spec, volumeName }, status: { phase: 'Bound' } };
    this.api.put(path, bound);
    this.api.put(paths.volume(volumeName), {
      ...this.api.get(paths.volume(volumeName)),
      status: { phase: 'Bound' },
    } as KubeObject);
  }

  /** Deletes a claim; plays kube-controller-manager. */
  releaseClaim(name: string): void {
    this.api.delete(paths.claim('default', name));
    const path = paths.volume(this.volumeOf(name));
    this.api.put(path, { ...this.api.get(path), status: { phase: 'Released' } } as KubeObject);
  }

  /** Name of a claim's volume. */
  volumeOf(name: string): string {
    return `pvc-${uidOf(name)}`;
  }

  /** The file on which a claim's disk lies. */
  diskOf(name: string): string {
    return join(this.dataFolder, 'volumes', this.volumeOf(name), 'disk.img');
  }

  /** Changes a VMI as others than the agent do: on its newest version. */
  changeVmi(name: string, change: (vmi: VirtualMachineInstance) => void): void {
    const changed = structuredClone(this.vmi(name)) as VirtualMachineInstance;
    change(changed);
    this.api.putVmi(changed);
  }

  /** The status of a volume of a VMI. */
  volumeStatus(vmiName: string, volume: string) {
    return this.vmi(vmiName)?.status?.volumeStatus?.find((entry) => entry.name === volume);
  }

  /** A volume that is to be plugged in, its attachment pod, and the controller's entries until the pod runs. */
  async plug(vmiName: string, volume: string, disk: object = { disk: { bus: 'scsi' } }): Promise<void> {
    this.changeVmi(vmiName, ({ spec, status }) => {
      spec.domain.devices.disks?.push({ name: volume, ...disk });
      spec.volumes?.push({ name: volume, persistentVolumeClaim: { claimName: volume, hotpluggable: true } });
      if (status !== undefined) {
        status.volumeStatus = [
          ...(status.volumeStatus ?? []),
          { name: volume, target: '', phase: 'Bound', hotplugVolume: {} },
        ];
      }
    });
    this.api.putPod(attachmentPod(vmiName, volume));
    await seen(() => this.attachment(volume)?.status?.phase === 'Running');
    const attachPodUID = this.attachment(volume)?.metadata.uid;
    this.changeVmi(vmiName, ({ status }) => {
      const entry = status?.volumeStatus?.find((e) => e.name === volume);
      if (entry !== undefined) Object.assign(entry, { phase: 'AttachedToNode', hotplugVolume: { attachPodUID } });
    });
  }

  attachment(volume: string): Pod | undefined {
    return this.api.pod(`hp-volume-${volume}`) as Pod | undefined;
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
