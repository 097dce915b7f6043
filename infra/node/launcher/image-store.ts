import { existsSync } from 'node:fs';
import { join } from 'node:path';

export type ImageLookup =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'missing'; readonly message: string };

const LOCAL = /^local\/([A-Za-z0-9][A-Za-z0-9._-]*)$/;

/** containerDisk images: `local/<name>` is the file `images/<name>` of the data folder. Nothing is pulled from anywhere. */
export class ImageStore {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'images');
  }

  find(reference: string): ImageLookup {
    const name = LOCAL.exec(reference)?.[1];
    if (name === undefined) {
      return { type: 'missing', message: `image ${reference}: this node has only images named local/<file name>` };
    }
    const path = join(this.#folder, name);
    return existsSync(path)
      ? { type: 'file', path }
      : { type: 'missing', message: `image ${reference}: no file ${name} in the node's image folder` };
  }
}
