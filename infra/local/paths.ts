/**
 * Where the embedded stack keeps its files (design section 7). Nothing outside these folders is touched.
 *
 * | folder | default | set by |
 * |---|---|---|
 * | cache root | `${XDG_CACHE_HOME:-~/.cache}/virt-functions` | `VIRT_FUNCTIONS_CACHE` |
 * | cache of a version | `<cache root>/<Kubernetes version>` | |
 * | Go's caches | `<cache root>/go`: a new patch version compiles only what changed | |
 * | data | `${XDG_STATE_HOME:-~/.local/state}/virt-functions/<hash of the checkout's path>` | `VIRT_FUNCTIONS_DATA` |
 * | sockets | `<data>/run`, or a short private folder: see `socketFolder` | |
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder that holds package.json. */
export const checkoutFolder: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path may have 107 bytes and a closing zero in a socket's address on Linux. */
const socketPathBytes = 107;

/** Cache of all versions; downloads and builds can be made again from nothing. */
export function cacheRoot(env: Environment = process.env): string {
  return env.VIRT_FUNCTIONS_CACHE
    ? resolve(env.VIRT_FUNCTIONS_CACHE)
    : join(xdg(env.XDG_CACHE_HOME, '.cache', env), 'virt-functions');
}

/** Data of this checkout's stack: etcd, table, disks, logs. Each checkout has its own. */
export function dataFolder(env: Environment = process.env, checkout: string = checkoutFolder): string {
  if (env.VIRT_FUNCTIONS_DATA) return resolve(env.VIRT_FUNCTIONS_DATA);
  return join(
    xdg(env.XDG_STATE_HOME, join('.local', 'state'), env),
    'virt-functions',
    pathHash(realpathSync(checkout)),
  );
}

/**
 * A private folder for Unix sockets of the stack that keeps its data in `data`, created if missing.
 *
 * `nameBytes` is the longest name (path inside the folder) that a caller puts there. Where `<data>/run` is too long
 * for that, the folder is `vf-<user id>-<hash of data>` in XDG_RUNTIME_DIR or the temporary folder; it holds nothing
 * that must outlive the stack.
 *
 * @throws Error when neither is short enough, or the folder belongs to somebody else.
 */
export function socketFolder(data: string, nameBytes: number, env: Environment = process.env): string {
  const short = `vf-${userInfo().uid}-${pathHash(data)}`;
  const candidates = [join(data, 'run'), ...(env.XDG_RUNTIME_DIR ? [join(env.XDG_RUNTIME_DIR, short)] : [])];
  candidates.push(join(tmpdir(), short));
  const folder = candidates.find((path) => Buffer.byteLength(path) + 1 + nameBytes <= socketPathBytes);
  if (!folder)
    throw new Error(`no folder is short enough for sockets: set VIRT_FUNCTIONS_DATA to a shorter path than ${data}`);
  makePrivateFolder(folder);
  return folder;
}

/**
 * Creates the folder and its parents, closed to other users.
 *
 * @throws Error when it belongs to another user (somebody else made it first, in a shared temporary folder).
 */
export function makePrivateFolder(folder: string): void {
  makeFolders(folder);
  const found = statSync(folder);
  if (found.uid !== userInfo().uid) throw new Error(`${folder} belongs to another user`);
  chmodSync(folder, 0o700);
}

/**
 * Creates the folder and its parents.
 *
 * Not with Node's `recursive`: below /proc, say, where nothing can be made, Node would try again for ever, and on
 * a read-only disk it gives a wrong reason.
 */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Twelve hexadecimal digits that stand for a path. */
export function pathHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

/** The XDG rule: a relative value counts as not set. */
function xdg(value: string | undefined, fallback: string, env: Environment): string {
  return value && isAbsolute(value) ? value : join(env.HOME || homedir(), fallback);
}
