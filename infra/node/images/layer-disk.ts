import { open as openFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { Parser, type ReadEntry } from 'tar';
import { isOutOfSpace, PullError } from './pull-error.ts';

/** Opens a file to be written anew; the part of the file system that tests let fail. */
export type OpenFile = (path: string) => Promise<{
  write(chunk: Uint8Array): Promise<unknown>;
  sync(): Promise<void>;
  close(): Promise<void>;
}>;

const open: OpenFile = async (path) => {
  const file = await openFile(path, 'w');
  // Unlike write() it goes on until all is written.
  return { write: (chunk) => file.writeFile(chunk), sync: () => file.sync(), close: () => file.close() };
};

/** The folder of a containerDisk image that holds its disk, and nothing else. */
const FOLDER = 'disk';
const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';

/**
 * Looks for the one file below `/disk` in an image's layers, which are read from the top down: what a layer has, or takes away,
 * hides the same below it. The file is written as it is met.
 */
export class LayerDisk {
  readonly #path: string;
  readonly #open: OpenFile;
  /** Names below `/disk` that the layers read so far have settled. */
  readonly #settled = new Set<string>();
  #allSettled = false;
  #name: string | undefined;

  /** `path`: where the disk is written. */
  constructor(path: string, openFor: OpenFile = open) {
    this.#path = path;
    this.#open = openFor;
  }

  /** The disk's path in the image. Throws a {@link PullError} when no layer had one. */
  get pathInImage(): string {
    if (this.#name === undefined) throw new PullError('bad-image', 'the image has no file below /disk');
    return `/${FOLDER}/${this.#name}`;
  }

  /** Takes the next layer's uncompressed tar; ends when the disk in it is written. It fails with a {@link PullError}. */
  layer(): Writable {
    const settledHere = new Set<string>();
    let allSettledHere = false;
    let writing: Promise<void> = Promise.resolve();
    const broken = new AbortController();
    const take = (entry: ReadEntry): void => {
      const effect = effectOf(entry);
      if (effect.type === 'holds' && !this.#allSettled && !this.#settled.has(effect.name)) {
        this.#check(entry, effect.name);
        writing = this.#write(entry, broken.signal);
        writing.catch((error: Error) => sink.destroy(error));
      } else {
        entry.resume();
      }
      if (effect.type === 'hides-all') allSettledHere = true;
      if (effect.type === 'holds' || effect.type === 'hides') settledHere.add(effect.name);
    };
    const parser = new Parser({
      strict: true,
      zstd: false,
      onReadEntry: (entry) => {
        try {
          take(entry);
        } catch (error) {
          entry.resume();
          sink.destroy(error as Error);
        }
      },
    });
    const sink: Writable = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (parser.write(chunk)) done();
        else parser.once('drain', done);
      },
      final: (done) => {
        parser.once('end', () => {
          writing.then(() => {
            for (const name of settledHere) this.#settled.add(name);
            this.#allSettled ||= allSettledHere;
            done();
          }, done);
        });
        parser.end();
      },
      destroy: (error, done) => {
        // Otherwise the file would wait for the rest of its entry.
        broken.abort();
        const finish = (): void => done(error);
        writing.then(finish, finish);
      },
    });
    parser.on('error', (error: Error) => {
      sink.destroy(new PullError('bad-image', `a layer of the image is damaged: ${error.message}`, { cause: error }));
    });
    return sink;
  }

  #check(entry: ReadEntry, name: string): void {
    if (this.#name !== undefined && this.#name !== name) {
      throw new PullError('bad-image', `the image has more than one file below /disk: ${this.#name}, ${name}`);
    }
    if (!isPlain(entry)) throw new PullError('bad-image', `/disk/${name} in the image is no plain file`);
    this.#name = name;
  }

  async #write(entry: ReadEntry, broken: AbortSignal): Promise<void> {
    try {
      const file = await this.#open(this.#path);
      try {
        await contentTo((chunk) => file.write(chunk), entry, broken);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      throw new PullError('no-space', `no space is left on this node for the image's disk of ${entry.size} bytes`);
    }
  }
}

/** Hands an entry's content over piece by piece; ends with the last, or fails when the signal comes. */
function contentTo(write: (chunk: Buffer) => Promise<unknown>, entry: ReadEntry, broken: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let last: Promise<unknown> = Promise.resolve();
    const fail = (): void => reject(new Error('the layer ended early'));
    if (broken.aborted) fail();
    else broken.addEventListener('abort', fail, { once: true });
    entry.on('data', (chunk) => {
      entry.pause();
      last = write(chunk);
      last.then(() => entry.resume(), reject);
    });
    // It can come while the last piece is still being written.
    entry.on('end', () => last.then(() => resolve(), reject));
  });
}

type Effect =
  | { readonly type: 'none' }
  | { readonly type: 'holds' | 'hides'; readonly name: string }
  | { readonly type: 'hides-all' };

/** What an entry means for the folder of the disk. */
function effectOf(entry: ReadEntry): Effect {
  const [first, second, ...deeper] = entry.path.split('/').filter((part) => part !== '' && part !== '.');
  if (second === undefined) {
    if (first === OPAQUE || first === `${WHITEOUT}${FOLDER}`) return { type: 'hides-all' };
    if (first !== FOLDER || entry.type === 'Directory') return { type: 'none' };
    throw new PullError('bad-image', '/disk in the image is no folder');
  }
  if (first !== FOLDER || deeper.length > 0) return { type: 'none' };
  if (second === OPAQUE) return { type: 'hides-all' };
  if (second.startsWith(WHITEOUT)) return { type: 'hides', name: second.slice(WHITEOUT.length) };
  return { type: 'holds', name: second };
}

function isPlain({ type, extended }: ReadEntry): boolean {
  // A sparse file's holes are not in its data.
  const sparse = Object.keys(extended ?? {}).some((key) => key.startsWith('GNU.sparse'));
  return (type === 'File' || type === 'OldFile' || type === 'ContiguousFile') && !sparse;
}
