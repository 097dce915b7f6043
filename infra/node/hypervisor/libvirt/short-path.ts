import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Bytes of a folder's path that leave room for what libvirt puts below it: socket paths may have 107 bytes, and a monitor's is
 * `config/libvirt/qemu/lib/domain-<id>-<20 characters>/monitor.sock`.
 */
const ROOM = 40;

/**
 * The folder, or a symbolic link to it that is short enough for sockets below it. The link lies in the user's runtime folder
 * or the folder for temporary files; it stays the same over restarts (guests know it), its name is kept in the folder.
 */
export function shortPath(folder: string): string {
  if (Buffer.byteLength(folder) <= ROOM) return folder;
  const note = join(folder, 'short-path');
  const kept = readIfThere(note);
  if (kept !== undefined && leadsTo(kept, folder)) return kept;
  const parent = process.getuid?.() === 0 ? tmpdir() : (process.env.XDG_RUNTIME_DIR ?? tmpdir());
  for (const path of [...(kept === undefined ? [] : [kept]), join(parent, `vf-${randomBytes(4).toString('hex')}`)]) {
    try {
      symlinkSync(folder, path);
    } catch {
      continue;
    }
    writeFileSync(note, path);
    return path;
  }
  throw new Error(`${folder} is too long for sockets, and no link to it can be made in ${parent}`);
}

/** Takes the link away that {@link shortPath} made, if it made one; no guest may run. */
export function removeShortPath(folder: string): void {
  const note = join(folder, 'short-path');
  const link = readIfThere(note);
  if (link === undefined) return;
  rmSync(note);
  rmSync(link, { force: true });
}

function leadsTo(link: string, folder: string): boolean {
  try {
    return lstatSync(link).uid === process.getuid?.() && readlinkSync(link) === folder;
  } catch {
    return false;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
