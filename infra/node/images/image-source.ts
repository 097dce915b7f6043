import { credentialsFor } from './credentials.ts';
import { ImageCache, type Resolved } from './image-cache.ts';
import type { OpenFile } from './layer-disk.ts';
import { LocalImages } from './local-images.ts';
import { pull } from './pull.ts';
import { PullError } from './pull-error.ts';
import type { PullSecrets } from './pull-secrets.ts';
import { type ImageReference, imageId, parseReference } from './reference.ts';
import { Registry } from './registry.ts';
import type { WantedImage } from './wanted-image.ts';

/** A disk that is on the node. */
export interface ReadyImage {
  readonly diskPath: string;
  /** Name and digest, as in container statuses. */
  readonly imageId: string;
  /** Where the disk lies in its image; absent where the image is nothing but a disk. */
  readonly pathInImage?: string;
}

/** `Never` says that an image may not be pulled, and it is not there. */
export class NeverPulled extends Error {
  constructor(reference: string) {
    super(`image ${reference} is not on this node, and imagePullPolicy is Never`);
    this.name = 'NeverPulled';
  }
}

export interface ImageSourceOptions {
  readonly imageFolder: string;
  readonly cacheFolder: string;
  /** Longest time without a byte from a registry. */
  readonly silenceMs: number;
  readonly openFile?: OpenFile;
}

/** Gets images where they are: from the folder of local ones, from the cache, from their registries. */
export class ImageSource {
  readonly #options: ImageSourceOptions;
  readonly #local: LocalImages;
  readonly #cache: ImageCache;
  /** By registry and repository: what is under way there, whose end the next pull waits for. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(options: ImageSourceOptions) {
    this.#options = options;
    this.#local = new LocalImages(options.imageFolder);
    this.#cache = new ImageCache(options.cacheFolder);
  }

  /** Throws a {@link PullError}, {@link NeverPulled}, or what reading the Secrets throws. */
  async obtain(
    { reference, pullPolicy }: WantedImage,
    secrets: () => Promise<PullSecrets>,
    signal: AbortSignal,
  ): Promise<ReadyImage> {
    if (LocalImages.isLocal(reference)) {
      const { diskPath, digest } = await this.#local.find(reference);
      return { diskPath, imageId: `${LocalImages.nameOf(reference)}@${digest}` };
    }
    const parsed = parseReference(reference);
    const present = pullPolicy === 'Always' ? undefined : this.#present(parsed);
    if (present !== undefined) return present;
    if (pullPolicy === 'Never') throw new NeverPulled(reference);
    return this.#inTurn(`${parsed.registry}/${parsed.repository}`, async () => {
      // It may have come while this one waited.
      const come = pullPolicy === 'Always' ? undefined : this.#present(parsed);
      return come ?? this.#pull(parsed, await secrets(), signal);
    });
  }

  async #pull(reference: ImageReference, secrets: PullSecrets, signal: AbortSignal): Promise<ReadyImage> {
    const credentials = credentialsFor(reference.registry, reference.repository, secrets.configs);
    const { silenceMs, openFile } = this.#options;
    const registry = new Registry(reference, { credentials, signal, silenceMs });
    try {
      const resolved = await pull({ reference, registry, cache: this.#cache, openFile });
      const ready = this.#cached(reference, resolved);
      if (ready === undefined) throw new Error(`${reference.text} was pulled and is not in the cache`);
      return ready;
    } catch (error) {
      if (!(error instanceof PullError) || error.failure !== 'unauthorized') throw error;
      throw new PullError('unauthorized', `${error.message}; ${credentialsTold(secrets, credentials.length)}`);
    }
  }

  #present(reference: ImageReference): ReadyImage | undefined {
    const resolved = this.#cache.resolved(reference.text);
    return resolved && this.#cached(reference, resolved);
  }

  #cached(reference: ImageReference, { digest, manifest }: Resolved): ReadyImage | undefined {
    const found = this.#cache.find(manifest);
    return found && { ...found, imageId: imageId(reference, digest) };
  }

  /** One after the other for each key: equal images are pulled once. */
  async #inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(key);
    const mine = before === undefined ? act() : before.then(act, act);
    this.#underWay.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#underWay.get(key) === mine) this.#underWay.delete(key);
    }
  }
}

function credentialsTold({ names, unusable }: PullSecrets, tried: number): string {
  if (names.length === 0) return 'the pod names no imagePullSecrets';
  const told = tried > 0 ? `tried with ${tried} of the credentials of` : 'no fitting credentials in';
  return [`${told} imagePullSecrets ${names.join(', ')}`, ...unusable].join('; ');
}
