import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { checkDigest, digestCheck, digestOf } from './digest.ts';
import type { ImageCache, Resolved } from './image-cache.ts';
import { LayerDisk, type OpenFile } from './layer-disk.ts';
import { type Descriptor, diffIds, type ImageManifest, PLATFORM, parseManifest } from './manifest.ts';
import { isOutOfSpace, PullError } from './pull-error.ts';
import type { ImageReference } from './reference.ts';
import type { Registry } from './registry.ts';

interface Pull {
  readonly reference: ImageReference;
  readonly registry: Registry;
  readonly cache: ImageCache;
  readonly openFile?: OpenFile;
}

/**
 * Asks the registry what a name stands for, and brings the disk of that image into the cache unless it is there. Every byte is
 * checked against the digest that names it. Throws a {@link PullError}; the cache is unchanged then.
 */
export async function pull({ reference, registry, cache, openFile }: Pull): Promise<Resolved> {
  const { target } = reference;
  const first = await registry.manifest(target.type === 'tag' ? target.tag : target.digest);
  if (target.type === 'digest') checkDigest('the manifest', first, target.digest);
  const digest = target.type === 'digest' ? target.digest : digestOf(first);
  const found = await imageIn(first, digest, registry);
  const resolved = { digest, manifest: found.digest };
  try {
    if (cache.find(found.digest) === undefined) {
      await cache.add(found.digest, (path) => fetchDisk(found.image, registry, new LayerDisk(path, openFile)));
    }
    cache.remember(reference.text, resolved);
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    throw new PullError('no-space', "no space is left on this node for the image's files", { cause: error });
  }
  return resolved;
}

interface FoundImage {
  readonly digest: string;
  readonly image: ImageManifest;
}

async function imageIn(bytes: Buffer, digest: string, registry: Registry): Promise<FoundImage> {
  const manifest = parseManifest(bytes);
  if (manifest.type === 'image') return { digest, image: manifest };
  const [entry] = manifest.fitting;
  if (entry === undefined) {
    throw new PullError('bad-image', `the index has no image for ${PLATFORM.os}/${PLATFORM.architecture}`);
  }
  const inner = await registry.manifest(entry.digest);
  checkDigest('the manifest', inner, entry.digest);
  const image = parseManifest(inner);
  if (image.type === 'index') throw new PullError('bad-image', 'the index leads to another index');
  return { digest: entry.digest, image };
}

async function fetchDisk(image: ImageManifest, registry: Registry, disk: LayerDisk): Promise<LayerDisk> {
  const config = await registry.smallBlob(image.config.digest);
  checkDigest("the image's config", config, image.config.digest);
  const uncompressed = diffIds(config, image.config.mediaType);
  if (uncompressed !== undefined && uncompressed.length !== image.layers.length) {
    throw new PullError(
      'bad-image',
      `the config names ${uncompressed.length} layers, the manifest ${image.layers.length}`,
    );
  }
  for (const [i, layer] of [...image.layers.entries()].reverse()) {
    await readLayer(layer, uncompressed?.[i], registry, disk);
  }
  // Fails where there is none.
  void disk.pathInImage;
  return disk;
}

async function readLayer(
  layer: Descriptor,
  uncompressed: string | undefined,
  registry: Registry,
  disk: LayerDisk,
): Promise<void> {
  const blob = digestCheck(`layer ${layer.digest}`, layer.digest, layer.size);
  const unpack = decompressor(layer.mediaType);
  const tar = uncompressed === undefined ? [] : [digestCheck('an uncompressed layer', uncompressed)];
  try {
    await pipeline([await registry.blob(layer.digest), blob, ...unpack, ...tar, disk.layer()]);
  } catch (error) {
    // Bytes that are not the wanted ones mostly fail to decompress before their end, where the digest is checked.
    if (!isDecompressionError(error)) throw error;
    throw new PullError('bad-image', `layer ${layer.digest} is damaged: ${String(error)}`, { cause: error });
  }
}

function isDecompressionError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^(?:Z_|ZSTD_)/.test(code);
}

function decompressor(mediaType: string) {
  if (/[.+]gzip$/.test(mediaType)) return [createGunzip()];
  if (/[.+]zstd$/.test(mediaType)) return [createZstdDecompress()];
  if (/[.+]tar$/.test(mediaType)) return [];
  throw new PullError('bad-image', `a layer of the image is of type ${mediaType}, which is not supported`);
}
