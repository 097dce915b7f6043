import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { searchPath } from '../command.ts';
import { HypervisorError } from '../hypervisor.ts';
import type { DaemonFolder } from './daemon-folder.ts';

const SCRIPT = fileURLToPath(new URL('daemon.sh', import.meta.url));
const OWN_NAMESPACE = 'unshare --mount --pid --fork --kill-child=KILL --mount-proc --propagation private'.split(' ');
const STOP_LIMIT_MS = 5000;

interface Supervisor {
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat: tells a process from a later one with the same pid. */
  readonly startTime: string;
}

/**
 * The process that keeps libvirtd running (daemon.sh). It is no child to wait for: it and its guests outlive the agent, and the
 * next agent finds it by the note in its folder.
 */
export class Daemon {
  readonly #folder: DaemonFolder;

  constructor(folder: DaemonFolder) {
    this.#folder = folder;
  }

  /** Starts the daemon unless it runs. It answers a moment later. */
  ensureRunning(showKvm: boolean): void {
    if (this.#running() !== undefined) return;
    const { mode, path, env } = this.#folder;
    const script = ['bash', SCRIPT, mode, path];
    const [program = '', ...args] = mode === 'session' ? script : [...OWN_NAMESPACE, ...script, showKvm ? 'yes' : 'no'];
    // What an earlier daemon left in its runtime folder (pid files, sockets) belongs to no process any more. Session guests
    // live on without their daemon, and their files with them.
    if (mode === 'private') {
      rmSync(join(path, 'run'), { recursive: true, force: true });
      for (const name of ['run/libvirt', 'run/lock']) mkdirSync(join(path, name), { recursive: true, mode: 0o700 });
    }
    const output = openSync(join(path, 'daemon.out'), 'w');
    const child = spawn(program, args, {
      detached: true,
      stdio: ['ignore', output, output],
      cwd: '/',
      // It outlives the stack that it was started by, and is not to be ended as what that left behind (infra/local).
      env: { ...process.env, ...env, PATH: searchPath(), LC_ALL: 'C', VIRT_FUNCTIONS_STACK: undefined },
    });
    closeSync(output);
    child.on('error', () => {});
    child.unref();
    if (child.pid === undefined) throw new HypervisorError(`${program} cannot be started`);
    const note: Supervisor = { pid: child.pid, startTime: startTimeOf(child.pid) ?? '' };
    writeFileSync(this.#note, JSON.stringify(note));
  }

  get running(): boolean {
    return this.#running() !== undefined;
  }

  /** Process id of libvirtd itself. */
  get pid(): number | undefined {
    const supervisor = this.#running();
    const script = supervisor && this.#scriptOf(supervisor);
    return childrenOf(script).find((pid) => readText(`/proc/${pid}/comm`).trim() === 'libvirtd');
  }

  /** Kills libvirtd, which its supervisor then starts anew; guests go on. */
  replace(): void {
    signal(this.pid, 'SIGKILL');
  }

  /** The last lines that daemon and supervisor wrote. */
  output(): string {
    return readText(join(this.#folder.path, 'daemon.out')).trim().split('\n').slice(-3).join('; ');
  }

  /** Ends the daemon; in private mode also what still runs in its namespace. */
  async stop(): Promise<void> {
    const supervisor = this.#running();
    if (supervisor === undefined) return;
    signal(this.#scriptOf(supervisor), 'SIGTERM');
    for (let waitedMs = 0; waitedMs < STOP_LIMIT_MS && this.#running() !== undefined; waitedMs += 50) await sleep(50);
    if (this.#running() !== undefined) signal(supervisor.pid, 'SIGKILL');
    rmSync(this.#note, { force: true });
  }

  get #note(): string {
    return join(this.#folder.path, 'supervisor.json');
  }

  /** The process that runs daemon.sh. */
  #scriptOf({ pid }: Supervisor): number | undefined {
    return this.#folder.mode === 'private' ? childrenOf(pid)[0] : pid;
  }

  #running(): Supervisor | undefined {
    const text = readText(this.#note);
    if (text === '') return undefined;
    const supervisor = JSON.parse(text) as Supervisor;
    return startTimeOf(supervisor.pid) === supervisor.startTime ? supervisor : undefined;
  }
}

/** Undefined when there is no such process, or only its remains. */
function startTimeOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat === '' || fields[0] === 'Z' ? undefined : fields[19];
}

function childrenOf(pid: number | undefined): readonly number[] {
  if (pid === undefined) return [];
  const text = readText(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
