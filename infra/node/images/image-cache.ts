import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CachedImage {
  readonly diskPath: string;
  /** For example `/disk/disk.img`. */
  readonly pathInImage: string;
}

/** Where a name led when it was pulled last. */
export interface Resolved {
  /** Of what the name stands for: an image's manifest, or an index of such. */
  readonly digest: string;
  /** Of the image's manifest. */
  readonly manifest: string;
}

/**
 * Pulled disks, one folder for each image, named by its manifest's digest. It is made aside and moved in whole, so what is there
 * is complete and was verified; it is never written again.
 */
export class ImageCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    // Left behind by an agent that was killed.
    rmSync(join(folder, 'partial'), { recursive: true, force: true });
    for (const name of ['partial', 'references']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }

  find(manifest: string): CachedImage | undefined {
    const folder = this.#imageFolder(manifest);
    const note = join(folder, 'image.json');
    if (!existsSync(note)) return undefined;
    const { pathInImage } = JSON.parse(readFileSync(note, 'utf8')) as { pathInImage: string };
    return { diskPath: join(folder, 'disk'), pathInImage };
  }

  resolved(reference: string): Resolved | undefined {
    const path = this.#referenceFile(reference);
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Resolved) : undefined;
  }

  remember(reference: string, resolved: Resolved): void {
    const path = this.#referenceFile(reference);
    writeFileSync(`${path}.new`, JSON.stringify({ reference, ...resolved }));
    renameSync(`${path}.new`, path);
  }

  /** Has the disk of an image written by `fill` and keeps it; nothing is kept when that fails. */
  async add(manifest: string, fill: (diskPath: string) => Promise<{ readonly pathInImage: string }>): Promise<void> {
    const partial = join(this.#folder, 'partial', randomUUID());
    mkdirSync(partial);
    try {
      const { pathInImage } = await fill(join(partial, 'disk'));
      writeFileSync(join(partial, 'image.json'), JSON.stringify({ manifest, pathInImage }));
      const folder = this.#imageFolder(manifest);
      mkdirSync(join(folder, '..'), { recursive: true });
      if (!existsSync(folder)) renameSync(partial, folder);
    } finally {
      rmSync(partial, { recursive: true, force: true });
    }
  }

  #imageFolder(manifest: string): string {
    return join(this.#folder, ...manifest.split(':'));
  }

  #referenceFile(reference: string): string {
    return join(this.#folder, 'references', `${createHash('sha256').update(reference).digest('hex')}.json`);
  }
}
