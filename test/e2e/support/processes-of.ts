import { readdirSync, readFileSync } from 'node:fs';
import { identityOf } from '../../../infra/local/processes/identity.ts';

/** A process that has a text, a data folder's path for instance, in its command line or environment. */
export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** All running processes with that text, this one excepted. */
export function processesOf(text: string): FoundProcess[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .flatMap((pid) => {
      const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
      const bears = command.includes(text) || read(pid, 'environ').includes(text);
      return bears && identityOf(pid) ? [{ pid, command }] : [];
    });
}

/** Ends them by SIGKILL, again until there are none: some may be starting others. */
export function killAllOf(text: string): void {
  for (let found = processesOf(text); found.length > 0; found = processesOf(text)) {
    for (const { pid } of found) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It was quicker.
      }
    }
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
