import { closeSync, openSync, readSync } from 'node:fs';

export type DiskFormat =
  | { readonly type: 'raw' }
  | { readonly type: 'qcow2' }
  /** A disk that is completed by another file, which it names: any file of the node could be read through it. */
  | { readonly type: 'refers-elsewhere' };

/** Offsets in the header of a qcow2 file; numbers are big-endian. */
const VERSION = 4;
const BACKING_FILE_OFFSET = 8;
const INCOMPATIBLE_FEATURES = 72;
const HEADER_BYTES = 80;
const EXTERNAL_DATA_FILE = 1n << 2n;

/** What a disk image is. Anything that is not qcow2 (`QFI` and 0xfb first) is taken as it is. */
export function diskFormat(path: string): DiskFormat {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  readSync(file, header, 0, HEADER_BYTES, 0);
  closeSync(file);
  if (header.toString('latin1', 0, 4) !== 'QFI\xfb') return { type: 'raw' };
  const features = header.readUInt32BE(VERSION) >= 3 ? header.readBigUInt64BE(INCOMPATIBLE_FEATURES) : 0n;
  const elsewhere = header.readBigUInt64BE(BACKING_FILE_OFFSET) !== 0n || (features & EXTERNAL_DATA_FILE) !== 0n;
  return { type: elsewhere ? 'refers-elsewhere' : 'qcow2' };
}
