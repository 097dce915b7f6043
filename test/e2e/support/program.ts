import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkoutFolder } from '../../../infra/local/paths.ts';

/** A program under test and what it has said so far. */
export interface Program {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves to its exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Returns when its standard output holds the text; throws with all that it said when it ends before. */
  says(text: string): Promise<void>;
}

/** Runs it in the checkout, with these additions to the environment. */
export function startProgram(file: string, args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(file, args, {
    cwd: checkoutFolder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  let ended = false;
  const exited = new Promise<number | null>((done) => {
    child.once('exit', (code) => {
      ended = true;
      done(code);
    });
  });
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    says: async (text) => {
      while (!stdout.includes(text)) {
        if (ended) throw new Error(`it ended before it said "${text}":\n${stdout}\n${stderr}`);
        await sleep(20);
      }
    },
  };
}
