import type { Stage } from './stages.ts';

/** A process of the stack, before it is started. */
export interface ProcessSpec {
  /** As a person calls it: `kube-apiserver`, `functions/vm`. Names the log file too. */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment; absent: this process's own. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stage: Stage;
  /** From SIGTERM to SIGKILL when it is stopped; absent: 10 s. */
  readonly graceMs?: number;
  /** If given, the process gets an IPC channel (`process.send` in a Node program) and this is called per message. */
  readonly onMessage?: (message: unknown) => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it was told to end. Any other end is a crash, code 0 included. */
  readonly asked: boolean;
}

export interface ManagedProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Resolves when it has ended; never rejects. */
  readonly exited: Promise<Exit>;
}

/** A process of the stack ended by itself, or could not be started. The message names it and ends with its last words. */
export class ProcessCrashed extends Error {
  readonly processName: string;

  constructor(processName: string, how: string, lastLines: readonly string[]) {
    const words = lastLines.length > 0 ? `; its last words:\n${lastLines.map((line) => `  ${line}`).join('\n')}` : '';
    super(`${processName} ${how}${words}`);
    this.name = 'ProcessCrashed';
    this.processName = processName;
  }
}

/** How a process ended, to follow its name: `ended with code 1`. */
export function describeExit(exit: Exit): string {
  return exit.signal ? `was ended by ${exit.signal}` : `ended with code ${exit.code}`;
}
