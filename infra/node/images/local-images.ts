import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PullError } from './pull-error.ts';

const LOCAL = /^local\/([A-Za-z0-9][A-Za-z0-9._-]*)(?:@(sha256:[0-9a-f]{64}))?$/;

export interface LocalImage {
  readonly diskPath: string;
  readonly digest: string;
}

/** Images that need no registry: `local/<name>`, or with its digest, is the file `<name>` of a folder. */
export class LocalImages {
  readonly #folder: string;
  readonly #digests = new Map<string, { readonly version: string; readonly digest: string }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  static isLocal(reference: string): boolean {
    return reference.startsWith('local/');
  }

  /** The name without its digest. */
  static nameOf(reference: string): string {
    return reference.split('@')[0] ?? reference;
  }

  /** Throws a {@link PullError} when there is no such file, or it has another digest. */
  async find(reference: string): Promise<LocalImage> {
    const [, name, wanted] = LOCAL.exec(reference) ?? [];
    if (name === undefined) {
      throw new PullError(
        'invalid-name',
        `image name ${JSON.stringify(reference)} cannot be used: it is not local/<file name>`,
      );
    }
    const diskPath = join(this.#folder, name);
    const digest = await this.#digestOf(diskPath);
    if (digest === undefined) {
      throw new PullError('not-found', `image ${reference}: no file ${name} in the node's image folder`);
    }
    if (wanted !== undefined && wanted !== digest) {
      throw new PullError('digest-mismatch', `image ${reference}: the file in the node's image folder is ${digest}`);
    }
    return { diskPath, digest };
  }

  /** Read anew when the file has changed. */
  async #digestOf(path: string): Promise<string | undefined> {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    const version = `${found.ino}/${found.size}/${found.mtimeMs}`;
    const known = this.#digests.get(path);
    if (known?.version === version) return known.digest;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const digest = `sha256:${hash.digest('hex')}`;
    this.#digests.set(path, { version, digest });
    return digest;
  }
}
