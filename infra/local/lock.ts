/** Locks of one user's processes on folders (socket-lock.ts says how they are held). */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Acquired, type Lock, tryLockName } from '../node/socket-lock.ts';
import { pathHash } from './paths.ts';

/** Takes the lock of that purpose on that path, or says who has it. */
export function tryLock(purpose: string, path: string): Promise<Acquired> {
  return tryLockName(`${purpose}/${process.getuid?.() ?? 0}/${pathHash(path)}`);
}

/** Waits until the lock is free and takes it. `waiting` is called once, with the holder, if it was not free. */
export async function waitForLock(
  purpose: string,
  path: string,
  waiting: (pid: number | undefined) => void,
): Promise<Lock> {
  for (let told = false; ; told = true) {
    const result = await tryLock(purpose, path);
    if (result.kind === 'held') return result.lock;
    if (!told) waiting(result.pid);
    await sleep(300);
  }
}
