import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, hostname, networkInterfaces, release, totalmem } from 'node:os';
import { hostBoot } from '../hypervisor/host-boot.ts';
import type { HypervisorKind } from '../hypervisor/hypervisor.ts';
import type { Readiness } from './readiness.ts';
import { timestamp } from './time.ts';

/** Guests that may use one device at once (node.md C7, `--max-devices`). */
const DEVICES = '1000';
const PODS = '110';
const AGENT_VERSION = 'virt-functions-node';

export interface NodeStatus {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly conditions: readonly Readonly<Record<string, string>>[];
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
  readonly nodeInfo: Readonly<Record<string, string>>;
}

export interface Machine {
  readonly nodeName: string;
  readonly kind: HypervisorKind;
  /** Where guests' disks lie. */
  readonly dataFolder: string;
}

/** What the agent says of its machine. Extended resources stand for the devices that launcher pods ask for. */
export function nodeStatus({ nodeName, kind, dataFolder }: Machine, nowMs: number, readiness: Readiness): NodeStatus {
  const resources = {
    cpu: String(availableParallelism()),
    memory: `${Math.floor(totalmem() / 1024)}Ki`,
    'ephemeral-storage': `${freeKib(dataFolder)}Ki`,
    pods: PODS,
    // Under emulation there is no such device, and launcher pods do not ask for it (`useEmulation`).
    'devices.kubevirt.io/kvm': kind === 'libvirt-qemu' ? '0' : DEVICES,
    'devices.kubevirt.io/tun': DEVICES,
    'devices.kubevirt.io/vhost-net': DEVICES,
  };
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: timestamp(nowMs),
    lastTransitionTime: timestamp(readiness.sinceMs),
  });
  return {
    capacity: resources,
    allocatable: resources,
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'enough memory'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'enough disk'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'enough process ids'),
      readiness.type === 'ready'
        ? condition('Ready', 'True', 'KubeletReady', `runs guests with ${kind}`)
        : condition('Ready', 'False', 'KubeletNotReady', readiness.message),
    ],
    addresses: [
      { type: 'InternalIP', address: hostAddress() },
      { type: 'Hostname', address: nodeName },
    ],
    nodeInfo: {
      machineID: read('/etc/machine-id'),
      systemUUID: read('/etc/machine-id'),
      bootID: hostBoot(),
      kernelVersion: release(),
      osImage: /^PRETTY_NAME="?([^"\n]*)/m.exec(read('/etc/os-release'))?.[1] ?? process.platform,
      containerRuntimeVersion: `${kind}://`,
      kubeletVersion: AGENT_VERSION,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: architecture(),
    },
  };
}

/** Labels that a kubelet puts on its node. */
export function kubeletLabels(nodeName: string): Record<string, string> {
  return {
    'kubernetes.io/hostname': nodeName,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture(),
  };
}

/** The machine's first address that is not a loopback one. */
export function hostAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return addresses.find((a) => a.family === 'IPv4' && !a.internal)?.address ?? '127.0.0.1';
}

export function defaultNodeName(): string {
  return hostname().toLowerCase();
}

function freeKib(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1024);
}

function architecture(): string {
  return process.arch === 'x64' ? 'amd64' : process.arch;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
