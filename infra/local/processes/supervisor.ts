import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { guard } from './guard.ts';
import { identityOf } from './identity.ts';
import { lastLines, openLog } from './log-file.ts';
import { describeExit, type Exit, type ManagedProcess, ProcessCrashed, type ProcessSpec } from './managed-process.ts';
import { stageMark } from './origin.ts';
import { stopInOrder, type Target } from './stop-in-order.ts';

const defaultGraceMs = 10_000;
const linesOfLastWords = 8;

interface Entry {
  readonly process: ManagedProcess;
  readonly target: Target;
  asked: boolean;
}

/**
 * Starts the stack's processes and ends them in their order.
 *
 * Each runs in a session of its own: Ctrl-C reaches only the supervising process, which then decides the order. Both
 * output streams go straight to a log file, so a process never stalls on a slow reader. When the supervising process
 * is gone without having stopped them, the guard does it (guard.ts).
 */
export class Supervisor {
  readonly #logFolder: string;
  readonly #entries = new Map<number, Entry>();
  #stopping = false;

  constructor(logFolder: string) {
    this.#logFolder = logFolder;
  }

  /** @throws ProcessCrashed when the file can't be run, or when all are being stopped. */
  async start(spec: ProcessSpec): Promise<ManagedProcess> {
    if (this.#stopping) throw new ProcessCrashed(spec.name, 'is not started: the stack is being stopped', []);
    const logFile = join(this.#logFolder, `${spec.name.replaceAll('/', '-')}.log`);
    const log = openLog(logFile);
    const child = spawn(spec.file, spec.args, {
      env: { ...(spec.env ?? process.env), ...stageMark(spec.stage) },
      ...(spec.cwd ? { cwd: spec.cwd } : {}),
      stdio: spec.onMessage ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    const { pid } = child;
    if (pid === undefined) {
      const reason = await new Promise<string>((done) => child.once('error', (error) => done(error.message)));
      throw new ProcessCrashed(spec.name, `could not be started: ${reason}`, []);
    }
    const target: Target = {
      // One that ended within this very moment has no start time any more: nothing will match, which is right.
      ...(identityOf(pid) ?? { pid, startTicks: '' }),
      stage: spec.stage,
      graceMs: spec.graceMs ?? defaultGraceMs,
    };
    guard.watch(target);
    child.on('error', () => undefined);
    if (spec.onMessage) child.on('message', spec.onMessage);
    const exited = new Promise<Exit>((done) => {
      child.once('exit', (code, signal) => {
        const asked = this.#entries.get(pid)?.asked ?? false;
        this.#entries.delete(pid);
        guard.forget(pid);
        done({ code, signal, asked });
      });
    });
    const started: ManagedProcess = { name: spec.name, pid, logFile, exited };
    this.#entries.set(pid, { process: started, target, asked: false });
    return started;
  }

  /** The processes that run now. */
  get running(): readonly ManagedProcess[] {
    return [...this.#entries.values()].map((entry) => entry.process);
  }

  /** Whether all of them have been told to end: nothing new is to be started. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Ends these processes, or all that run; returns when they are gone. */
  async stop(processes?: readonly ManagedProcess[]): Promise<void> {
    if (processes === undefined) this.#stopping = true;
    const entries = (processes ?? this.running).flatMap((process) => this.#entries.get(process.pid) ?? []);
    for (const entry of entries) entry.asked = true;
    await stopInOrder(entries.map((entry) => entry.target));
    await Promise.all(entries.map((entry) => entry.process.exited));
  }
}

/** What to tell a person about a process that ended without having been asked to. */
export function crashOf(process: ManagedProcess, exit: Exit): ProcessCrashed {
  return new ProcessCrashed(process.name, describeExit(exit), lastLines(process.logFile, linesOfLastWords));
}
