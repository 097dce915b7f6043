/**
 * Makes child processes end when the process that started them is gone, however it went.
 *
 * One small process of its own (guard-main.ts) knows all of them. Its standard input is a pipe that only this process
 * holds: its end means that we are gone, by SIGKILL too, and the guard ends the children in their order.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stageMark } from './origin.ts';
import type { Target } from './stop-in-order.ts';

/** A line on the guard's standard input, as JSON. */
export type GuardMessage =
  | { readonly watch: Target }
  | { readonly forget: number }
  /** A folder that goes when all processes have ended. */
  | { readonly remove: string };

const program = fileURLToPath(new URL('guard-main.ts', import.meta.url));
const restartAfterMs = 1000;

export class Guard {
  readonly #targets = new Map<number, Target>();
  readonly #folders = new Set<string>();
  #process: ChildProcess | undefined;

  /** Call right after the start of the process. */
  watch(target: Target): void {
    this.#targets.set(target.pid, target);
    this.#start();
    this.#tell({ watch: target });
  }

  /** Call when the process has ended. */
  forget(pid: number): void {
    if (this.#targets.delete(pid)) this.#tell({ forget: pid });
  }

  /** Deletes the folder when this process is gone and its children have ended. */
  removeAtEnd(folder: string): void {
    this.#folders.add(folder);
    this.#start();
    this.#tell({ remove: folder });
  }

  /** Ends the guard; what it still watches ends too. */
  close(): void {
    const guard = this.#process;
    this.#process = undefined;
    guard?.removeAllListeners('exit');
    guard?.stdin?.end();
  }

  #start(): void {
    if (this.#process) return;
    // Detached: Ctrl-C at the terminal must not reach it before it has done its work.
    const guard = spawn(process.execPath, [program], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { ...process.env, ...stageMark('guard') },
    });
    this.#process = guard;
    guard.on('error', () => undefined);
    guard.stdin.on('error', () => undefined);
    guard.once('exit', () => {
      this.#process = undefined;
      setTimeout(() => this.#restart(), restartAfterMs).unref();
    });
    guard.unref();
    // The pipe is a socket, which would keep this process alive; the type does not say so.
    (guard.stdin as unknown as { unref(): void }).unref();
  }

  /** Somebody ended the guard alone. */
  #restart(): void {
    if (this.#targets.size + this.#folders.size === 0) return;
    this.#start();
    for (const target of this.#targets.values()) this.#tell({ watch: target });
    for (const folder of this.#folders) this.#tell({ remove: folder });
  }

  #tell(message: GuardMessage): void {
    this.#process?.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

/** The guard of everything that this process starts. Without a child it costs nothing. */
export const guard: Guard = new Guard();
