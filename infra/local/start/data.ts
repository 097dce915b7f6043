import { existsSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { Daemon } from '../../node/hypervisor/libvirt/daemon.ts';
import { prepareDaemonFolder } from '../../node/hypervisor/libvirt/daemon-folder.ts';
import { LibvirtHypervisor } from '../../node/hypervisor/libvirt/libvirt-hypervisor.ts';
import { daemonMode } from '../../node/hypervisor/probe.ts';
import { tryLock } from '../lock.ts';
import { makePrivateFolder } from '../paths.ts';
import { endLeftovers } from '../processes/origin.ts';

/** What a stack needs on the disk of its data to start: etcd alone lays out its log in pieces of 64 MB. */
const NEEDED_MEGABYTES = 256;
/** Less than this, and whatever went wrong went wrong for that. */
const FULL_MEGABYTES = 8;

/**
 * Makes the data folder this process's own, and ends what a stack that crashed has left running on it.
 *
 * @throws Error in one line when the folder can't be used or another process has it
 */
export async function takeData(data: string, tell: (text: string) => void): Promise<void> {
  try {
    makePrivateFolder(data);
  } catch (error) {
    throw new Error(`the data folder cannot be used (VIRT_FUNCTIONS_DATA sets another): ${messageOf(error)}`, {
      cause: error,
    });
  }
  const lock = await tryLock('start', data);
  if (lock.kind === 'taken') {
    throw new Error(`it runs already${lock.pid === undefined ? '' : ` (process ${lock.pid})`}; end that one first`);
  }
  await endLeftovers(data, (count) => tell(`the stack before has left ${count} processes; waiting for their end`));
}

/** Deletes the data. Guests outlive an agent that is killed, so they are ended first. */
export async function deleteData(data: string): Promise<void> {
  const folder = join(nodeFolderOf(data), 'libvirt');
  if (existsSync(folder) && new Daemon(prepareDaemonFolder(daemonMode(), folder)).running) {
    await (await LibvirtHypervisor.open('qemu', daemonMode(), folder)).stop();
  }
  rmSync(data, { recursive: true, force: true });
}

export function nodeFolderOf(data: string): string {
  return join(data, 'node');
}

/** @throws Error when the disk is too full to begin */
export function checkSpace(data: string): void {
  const free = freeMegabytes(data);
  if (free >= NEEDED_MEGABYTES) return;
  throw new Error(`the disk that holds ${data} has ${free} MB left, and the stack needs ${NEEDED_MEGABYTES} MB`);
}

/** What went wrong, for a person. Many things go wrong in many words when a disk is full. */
export function explain(error: unknown, data: string): string {
  const message = messageOf(error);
  const free = existsSync(data) ? freeMegabytes(data) : FULL_MEGABYTES;
  if (free >= FULL_MEGABYTES) return message;
  return `the disk that holds ${data} is full (${free} MB left): ${message.split('\n')[0]}`;
}

function freeMegabytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1_000_000);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
