import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOutOfSpace } from '../images/pull-error.ts';

/** The node's disk cannot take a volume of that size beside what it has promised already. */
export class NoRoom extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoRoom';
  }
}

/** Lies beside a file until its volume is known to the cluster. */
const UNANNOUNCED = 'unannounced';
const DISK = 'disk.img';
/** Disks have whole blocks. */
const BLOCK_BYTES = 4096;
/** `stat` counts in these. */
const STAT_BLOCK_BYTES = 512;
/** Names become paths; these are the only ones that the driver gives. */
const NAME = /^pvc-[0-9a-f-]+$/;

/** The files of a node's volumes: raw disks, sparse, each in a folder named after its volume. */
export class VolumeFiles {
  readonly #folder: string;
  #making: Promise<void> = Promise.resolve();

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'volumes');
  }

  folderOf(volume: string): string {
    if (!NAME.test(volume)) throw new Error(`${volume} is no name of a local volume`);
    return join(this.#folder, volume);
  }

  diskOf(volume: string): string {
    return join(this.folderOf(volume), DISK);
  }

  has(volume: string): boolean {
    return NAME.test(volume) && existsSync(this.diskOf(volume));
  }

  /**
   * Makes a volume's disk, or finds the one that an earlier try has made. Throws a {@link NoRoom} when the disk, filled, would not
   * fit beside all others, filled: a guest must not be told of bytes that it cannot write.
   */
  make(volume: string, bytes: number): Promise<void> {
    // One after another: each counts what the others have promised.
    const made = this.#making.then(() => this.#make(volume, bytes));
    this.#making = made.catch(() => {});
    return made;
  }

  async #make(volume: string, bytes: number): Promise<void> {
    if (this.has(volume)) return;
    await mkdir(this.#folder, { recursive: true });
    const size = Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
    const free = Math.max(0, (await this.#freeBytes()) - (await this.#promisedBytes()));
    if (size > free) throw new NoRoom(`${bytes} bytes are asked for, ${free} are free on this node`);
    const folder = this.folderOf(volume);
    const disk = this.diskOf(volume);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, UNANNOUNCED), '');
      const file = await open(`${disk}.new`, 'w', 0o600);
      try {
        await file.truncate(size);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${disk}.new`, disk);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (isOutOfSpace(error)) throw new NoRoom('no space is left on this node', { cause: error });
      throw error;
    }
  }

  /** The cluster knows the volume: from now on its file goes when that is deleted only. */
  async announced(volume: string): Promise<void> {
    await rm(join(this.folderOf(volume), UNANNOUNCED), { force: true });
  }

  /** No error if there is none. */
  async remove(volume: string): Promise<void> {
    await rm(this.folderOf(volume), { recursive: true, force: true });
  }

  /** Volumes of which the cluster may never have heard. */
  async unannounced(): Promise<readonly string[]> {
    return (await this.#volumes()).filter((volume) => existsSync(join(this.folderOf(volume), UNANNOUNCED)));
  }

  async #volumes(): Promise<readonly string[]> {
    if (!existsSync(this.#folder)) return [];
    return (await readdir(this.#folder)).filter((name) => NAME.test(name));
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }

  /** What the disks may still grow by. */
  async #promisedBytes(): Promise<number> {
    let sum = 0;
    for (const volume of await this.#volumes()) {
      const disk = await stat(this.diskOf(volume)).catch(() => undefined);
      if (disk !== undefined) sum += Math.max(0, disk.size - disk.blocks * STAT_BLOCK_BYTES);
    }
    return sum;
  }
}
