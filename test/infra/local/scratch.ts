/** A temporary folder for one test, and small programs in it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that is deleted when the test has ended. Short, since sockets lie in some of them. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vf-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A shell script at that path. */
export function writeScript(file: string, body: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}
