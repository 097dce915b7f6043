/** Runs a short command to its end, with a time limit. */
import { spawn } from 'node:child_process';
import { guard } from './guard.ts';
import { identityOf } from './identity.ts';

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The process group is killed after that long. */
  readonly timeLimitMs: number;
  /** Each whole line of standard error, as it comes. */
  readonly onErrorLine?: (line: string) => void;
}

export type RunResult =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'killed'; readonly signal: string; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'timed out'; readonly stdout: string; readonly stderr: string }
  /** The file is missing, not executable, or not for this machine. */
  | { readonly kind: 'not started'; readonly reason: string };

/** Of each stream, that much of its end is kept. */
const keptCharacters = 1_000_000;

/** Commands that may run longer end with this process, as its other children do; a guard is not worth it for shorter. */
const guardedFromMs = 10_000;

/** Never rejects: each way in which a command can end is a result. */
export function run(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((done) => {
    // A group of its own, so that the time limit also ends what the command has started.
    const child = spawn(file, args, {
      ...(options.env ? { env: options.env } : {}),
      ...(options.cwd ? { cwd: options.cwd } : {}),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    let line = '';
    let timedOut = false;
    const identity = child.pid === undefined ? undefined : identityOf(child.pid);
    if (identity && options.timeLimitMs > guardedFromMs) guard.watch({ ...identity, stage: 'command', graceMs: 0 });
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(child.pid);
      // A stream that something outside the group holds open must not hold up the result.
      child.stdout.destroy();
      child.stderr.destroy();
    }, options.timeLimitMs);
    const finish = (result: RunResult): void => {
      clearTimeout(timer);
      if (child.pid !== undefined) guard.forget(child.pid);
      done(result);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      stdout = (stdout + chunk.toString()).slice(-keptCharacters);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      stderr = (stderr + text).slice(-keptCharacters);
      if (!options.onErrorLine) return;
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      for (const whole of lines) options.onErrorLine(whole);
    });
    child.once('error', (error) => finish({ kind: 'not started', reason: error.message }));
    child.once('close', (code, signal) => {
      if (timedOut) finish({ kind: 'timed out', stdout, stderr });
      else if (signal) finish({ kind: 'killed', signal, stdout, stderr });
      else finish({ kind: 'exited', code: code ?? 0, stdout, stderr });
    });
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
