import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, searchPath } from './command.ts';
import { hostBoot } from './host-boot.ts';
import type { HypervisorKind } from './hypervisor.ts';
import type { DaemonMode } from './libvirt/daemon-folder.ts';
import { bootsSampleGuest } from './qemu-boot.ts';

/** What can run guests here, and why not something better. */
export interface Probe {
  readonly kind: HypervisorKind;
  readonly reason?: string;
}

export type HypervisorChoice = 'auto' | 'libvirt' | 'simulated';

export interface ProbeOptions {
  /** The agent's data folder; the answer is kept there for as long as the machine runs. */
  readonly dataFolder: string;
  readonly choice?: HypervisorChoice;
}

/** Debian's names. */
export const PACKAGES = 'qemu-system-x86 libvirt-daemon-system libvirt-clients';
const PROGRAMS = ['qemu-system-x86_64', 'libvirtd', 'virsh'] as const;
const KVM_DEVICE = '/dev/kvm';
const KVM_LIMIT_MS = 10_000;
const EMULATION_LIMIT_MS = 60_000;

/** How libvirtd has to be run by this process's user. */
export function daemonMode(): DaemonMode {
  return process.getuid?.() === 0 ? 'private' : 'session';
}

/**
 * Decides between KVM, QEMU's emulation and simulation. It boots the sample guest to find out: on some machines KVM is there
 * and its guests hang. Takes seconds the first time, at most about a minute.
 */
export async function probeHypervisor({ dataFolder, choice = 'auto' }: ProbeOptions): Promise<Probe> {
  if (choice === 'simulated') return { kind: 'simulated', reason: 'chosen' };
  const missing = missingPrograms();
  const probe = missing.length > 0 ? withoutPrograms(missing) : await remembered(dataFolder, tryGuests);
  if (choice === 'libvirt' && probe.kind === 'simulated') throw new Error(`libvirt cannot be used: ${probe.reason}`);
  return probe;
}

/** Programs that a hypervisor other than the simulated one needs and that are not installed. */
export function missingPrograms(): readonly string[] {
  return PROGRAMS.filter((name) => find(name) === undefined);
}

function withoutPrograms(missing: readonly string[]): Probe {
  return {
    kind: 'simulated',
    reason: `${missing.join(', ')} not found; on Debian: apt-get install --no-install-recommends ${PACKAGES}`,
  };
}

async function tryGuests(folder: string): Promise<Probe> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { kind: 'simulated', reason: `guests need Linux on x86_64, this is ${process.platform} on ${process.arch}` };
  }
  if (daemonMode() === 'private') {
    const args = ['--mount', '--pid', '--fork', '--mount-proc', '--propagation', 'private', 'true'];
    const unshare = await run('unshare', args, { limitMs: 5000 });
    if (unshare.type !== 'done') {
      return { kind: 'simulated', reason: 'root may not make mount and pid namespaces here (unshare)' };
    }
  }
  const kvmProblem = await withoutKvm(folder);
  if (kvmProblem === undefined) return { kind: 'libvirt-kvm' };
  const emulation = await bootsSampleGuest('tcg', folder, EMULATION_LIMIT_MS);
  if (emulation.type === 'booted') return { kind: 'libvirt-qemu', reason: kvmProblem };
  return { kind: 'simulated', reason: `QEMU's emulation runs no guest: ${emulation.why}` };
}

/** Why KVM cannot be used, if so. */
async function withoutKvm(folder: string): Promise<string | undefined> {
  if (!existsSync(KVM_DEVICE)) return `no ${KVM_DEVICE}`;
  try {
    accessSync(KVM_DEVICE, constants.R_OK | constants.W_OK);
  } catch {
    return `${KVM_DEVICE} may not be opened by this user`;
  }
  const boot = await bootsSampleGuest('kvm', folder, KVM_LIMIT_MS);
  return boot.type === 'booted' ? undefined : `${KVM_DEVICE} is there, but a guest on it does not boot: ${boot.why}`;
}

/** The answer is good for one run of the kernel, one QEMU and one user. */
async function remembered(dataFolder: string, find: (folder: string) => Promise<Probe>): Promise<Probe> {
  const qemu = findQemu();
  const conditions = JSON.stringify([hostBoot(), process.getuid?.(), qemu, existsSync(KVM_DEVICE)]);
  const path = join(dataFolder, 'probe.json');
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as { conditions: string; probe: Probe };
    if (kept.conditions === conditions) return kept.probe;
  } catch {
    // Not probed before.
  }
  const folder = join(dataFolder, 'probe');
  mkdirSync(folder, { recursive: true });
  const probe = await find(folder);
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(path, JSON.stringify({ conditions, probe }));
  return probe;
}

function findQemu(): readonly [string, number] | undefined {
  const path = find('qemu-system-x86_64');
  return path === undefined ? undefined : [path, statSync(path).mtimeMs];
}

function find(program: string): string | undefined {
  return searchPath()
    .split(':')
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}
