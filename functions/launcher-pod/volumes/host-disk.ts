import type { VmiVolume } from '../pod-types.ts';
import { type VolumeParts, volumeParts } from './volume-parts.ts';

const HOST_PATH_TYPES: ReadonlyMap<string, string> = new Map([
  ['Disk', 'Directory'],
  ['DiskOrCreate', 'DirectoryOrCreate'],
]);

/** A disk image in a directory of the node (launcher-pod.md 12.4). */
export function hostDiskParts(
  name: string,
  { path, type }: NonNullable<VmiVolume['hostDisk']>,
  mountPath: string,
): VolumeParts {
  return volumeParts(`directory of host disk ${path}`, {
    volumes: [{ name, hostPath: { path: directoryOf(path), type: HOST_PATH_TYPES.get(type) ?? '' } }],
    mounts: [{ name, mountPath }],
  });
}

/** What stands before the last slash, without `.`, `..` and double slashes; `.` where there is no slash. */
export function directoryOf(path: string): string {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/').slice(0, -1)) {
    if (segment === '' || segment === '.') continue;
    const above = kept.at(-1);
    if (segment !== '..') kept.push(segment);
    else if (above !== undefined && above !== '..') kept.pop();
    else if (!rooted) kept.push('..');
  }
  const joined = kept.join('/');
  return rooted ? `/${joined}` : joined || '.';
}
