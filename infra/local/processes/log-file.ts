import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

const tailBytes = 64 * 1024;

/**
 * Opens a fresh log file for appending and returns its descriptor. The log before it stays once, as `<file>.previous`,
 * so that logs neither grow without end nor vanish with the restart that follows a crash.
 */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file)) renameSync(file, `${file}.previous`);
  return openSync(file, 'a', 0o600);
}

/** The last lines of a log, empty ones left out; empty when there is no log. */
export function lastLines(file: string, count: number): string[] {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    const size = fstatSync(descriptor).size;
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    const lines = buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    return lines.slice(-count);
  } finally {
    closeSync(descriptor);
  }
}
