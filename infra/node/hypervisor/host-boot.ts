import { readFileSync } from 'node:fs';

let known: string | undefined;

/** Identifies the run of the host's kernel; the same everywhere that does not tell. */
export function hostBoot(): string {
  try {
    known ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    known = 'unknown';
  }
  return known;
}
