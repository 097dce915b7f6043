import { spawnSync } from 'node:child_process';

/** Ways to a mount namespace of one's own: as root, and as somebody else. */
const WAYS: readonly (readonly [string, ...string[]])[] = [
  ['unshare', '--mount', '--propagation', 'private'],
  ['unshare', '--mount', '--user', '--map-root-user', '--propagation', 'private'],
];
const way = WAYS.find(([command, ...args]) => {
  return spawnSync(command, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
});

export const hasSmallFileSystems = way !== undefined;
/** For the title of a test that needs one. */
export const withoutSmallFileSystems = hasSmallFileSystems ? '' : ' (skipped: no mount namespace can be had here)';

/** A command that runs another one for which the folder (made by it) is a file system of that size of its own. */
export function onSmallFileSystem(folder: string, size: string, command: readonly string[]): [string, ...string[]] {
  if (way === undefined) throw new Error('no mount namespace can be had here');
  const script = `mkdir -p "$0" && mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`;
  return [...way, 'sh', '-c', script, folder, ...command] as [string, ...string[]];
}
