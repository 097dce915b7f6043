import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { type Lock, tryLockName } from './socket-lock.ts';

/** Holds a data folder for one agent: guests and images must not be looked after by two. Throws when another process has it. */
export async function lockDataFolder(folder: string): Promise<Lock> {
  const path = realpathSync(folder);
  const acquired = await tryLockName(`node/${createHash('sha256').update(path).digest('hex').slice(0, 32)}`);
  if (acquired.kind === 'held') return acquired.lock;
  throw new Error(`data folder ${path} is in use by another node agent (process ${acquired.pid ?? 'unknown'})`);
}
