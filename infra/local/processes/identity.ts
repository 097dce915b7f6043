/** Tells a process from a later one with the same number. */
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot (`/proc/<pid>/stat`, field 22). */
  readonly startTicks: string;
}

/** The identity of a running process; undefined when there is none, or only its unread exit code. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field, the name in parentheses, may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  return startTicks === undefined || state === 'Z' || state === 'X' ? undefined : { pid, startTicks };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.startTicks === identity.startTicks;
}
