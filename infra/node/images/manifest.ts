import { isDigest } from './digest.ts';
import { PullError } from './pull-error.ts';

export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

export interface ImageManifest {
  readonly config: Descriptor;
  /** The lowest first. */
  readonly layers: readonly Descriptor[];
}

export type Manifest =
  | ({ readonly type: 'image' } & ImageManifest)
  /** One image per platform; only the fitting ones are kept. */
  | { readonly type: 'index'; readonly fitting: readonly Descriptor[] };

/** Guests are of this kind, so the image's disk is. */
export const PLATFORM = { os: 'linux', architecture: 'amd64' } as const;

const IMAGE_TYPES = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];
const INDEX_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];
export const MANIFEST_TYPES: readonly string[] = [...INDEX_TYPES, ...IMAGE_TYPES];

/** Throws a {@link PullError} for what is neither an image's manifest nor an index. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const found = parseJson(bytes, 'manifest');
  if (Array.isArray(found.manifests)) {
    const fitting = (found.manifests as readonly unknown[]).filter(fits).map((m) => descriptor(m, 'index'));
    return { type: 'index', fitting };
  }
  if (!Array.isArray(found.layers) || found.config === undefined) {
    throw new PullError('bad-image', `the manifest is of a kind that is not supported (${describe(found)})`);
  }
  const layers = (found.layers as readonly unknown[]).map((layer) => descriptor(layer, 'manifest'));
  return { type: 'image', config: descriptor(found.config, 'manifest'), layers };
}

/** Digests of the layers once they are uncompressed, the lowest first; undefined where the config is not an image's. */
export function diffIds(config: Uint8Array, mediaType: string): readonly string[] | undefined {
  if (!/image\.(?:v1|config\.v1)\+json$|container\.image\.v1\+json$/.test(mediaType)) return undefined;
  const { rootfs } = parseJson(config, 'config') as { rootfs?: { diff_ids?: unknown } };
  const ids = rootfs?.diff_ids;
  if (!Array.isArray(ids) || !ids.every(isDigest))
    throw new PullError('bad-image', "the image's config names no layers");
  return ids;
}

function fits(entry: unknown): boolean {
  const platform = (entry as { platform?: { os?: string; architecture?: string } }).platform;
  return platform?.os === PLATFORM.os && platform.architecture === PLATFORM.architecture;
}

function descriptor(value: unknown, where: string): Descriptor {
  const { mediaType, digest, size } = (value ?? {}) as Partial<Descriptor>;
  if (typeof mediaType !== 'string' || !isDigest(digest) || !Number.isSafeInteger(size) || (size ?? -1) < 0) {
    throw new PullError('bad-image', `the ${where} names something without type, digest or size`);
  }
  return { mediaType, digest, size: size ?? 0 };
}

function parseJson(bytes: Uint8Array, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new PullError('bad-image', `the image's ${what} is no JSON object`);
}

function describe(manifest: Record<string, unknown>): string {
  return typeof manifest.mediaType === 'string'
    ? manifest.mediaType
    : `schema version ${String(manifest.schemaVersion)}`;
}
