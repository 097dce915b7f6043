import { execFile } from 'node:child_process';

export type CommandResult =
  | { readonly type: 'done'; readonly stdout: string }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'timed-out'; readonly limitMs: number };

export interface CommandOptions {
  readonly limitMs: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Where distributions keep daemons, which is not on every user's PATH. */
export function searchPath(): string {
  return [process.env.PATH ?? '/usr/bin:/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'].join(':');
}

/** Runs a program with an absolute time limit and in the C locale; never rejects. */
export function run(program: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      {
        env: { ...process.env, ...options.env, PATH: searchPath(), LC_ALL: 'C' },
        timeout: options.limitMs,
        killSignal: 'SIGKILL',
        maxBuffer: 16 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        if (error === null) resolve({ type: 'done', stdout });
        else if (error.killed === true) resolve({ type: 'timed-out', limitMs: options.limitMs });
        else resolve({ type: 'failed', message: stderr.trim() === '' ? error.message : stderr.trim() });
      },
    );
  });
}
