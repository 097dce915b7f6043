import { createHash } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { Header } from 'tar';
import { bootSector, type GuestOptions } from '../../../../infra/node/guest/boot-sector.ts';

export interface Entry {
  readonly path: string;
  readonly content?: Uint8Array;
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link';
  readonly linkpath?: string;
}

const BLOCK = 512;
const MEGABYTE = 1024 * 1024;

export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** The sample guest's disk. */
export function guestDisk(options: GuestOptions = {}): Buffer {
  return Buffer.concat([bootSector(options), Buffer.alloc(MEGABYTE - BLOCK)]);
}

export function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = Buffer.alloc(0), type = 'File', linkpath }) => {
    const header = new Header({ path, type, linkpath, size: content.length, mode: 0o644, uid: 107, gid: 107 });
    header.encode();
    return [header.block ?? Buffer.alloc(BLOCK), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

export interface TestLayer {
  readonly tar: Buffer;
  readonly mediaType: string;
  readonly blob: Buffer;
}

export function layer(entries: readonly Entry[], compression: 'gzip' | 'zstd' | 'none' | 'docker' = 'gzip'): TestLayer {
  const tar = tarOf(entries);
  const oci = 'application/vnd.oci.image.layer.v1.tar';
  switch (compression) {
    case 'gzip':
      return { tar, mediaType: `${oci}+gzip`, blob: gzipSync(tar) };
    case 'zstd':
      return { tar, mediaType: `${oci}+zstd`, blob: zstdCompressSync(tar) };
    case 'none':
      return { tar, mediaType: oci, blob: tar };
    case 'docker':
      return { tar, mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip', blob: gzipSync(tar) };
  }
}

/** The one layer of a usual containerDisk. */
export function diskLayer(disk: Uint8Array = guestDisk()): TestLayer {
  return layer([
    { path: 'disk/', type: 'Directory' },
    { path: 'disk/disk.img', content: disk },
  ]);
}
