import { isDigest } from './digest.ts';
import { PullError } from './pull-error.ts';

/** An image's name, taken apart. */
export interface ImageReference {
  /** As it was given. */
  readonly text: string;
  /** Host, and port where one is given. */
  readonly registry: string;
  readonly repository: string;
  /** What to ask the registry for: a digest where one is given (a tag beside it says nothing then), else the tag. */
  readonly target:
    | { readonly type: 'tag'; readonly tag: string }
    | { readonly type: 'digest'; readonly digest: string };
}

const REGISTRY = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/;
const REPOSITORY = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/** `host[:port]/repository[:tag][@digest]`; without either the tag is `latest`. Throws a {@link PullError} for anything else. */
export function parseReference(text: string): ImageReference {
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !isDigest(digest))) throw invalid(text, 'its digest is none');
  const slash = named.indexOf('/');
  const registry = named.slice(0, Math.max(slash, 0));
  const path = named.slice(slash + 1);
  if (!/[.:]/.test(registry) && registry !== 'localhost') throw invalid(text, "it must begin with its registry's host");
  const colon = path.lastIndexOf(':');
  const repository = colon < 0 ? path : path.slice(0, colon);
  const tag = colon < 0 ? 'latest' : path.slice(colon + 1);
  if (!REGISTRY.test(registry) || !REPOSITORY.test(repository) || !TAG.test(tag)) {
    throw invalid(text, 'it is not host/repository:tag or host/repository@digest');
  }
  const target = digest === undefined ? ({ type: 'tag', tag } as const) : ({ type: 'digest', digest } as const);
  return { text, registry, repository, target };
}

/** Name and digest as a kubelet writes them in container statuses. */
export function imageId({ registry, repository }: ImageReference, digest: string): string {
  return `${registry}/${repository}@${digest}`;
}

/** Registries on this machine are spoken to in plain HTTP, all others in HTTPS. */
export function isLoopback(registry: string): boolean {
  return LOOPBACK.test(registry);
}

function invalid(text: string, why: string): PullError {
  return new PullError('invalid-name', `image name ${JSON.stringify(text)} cannot be used: ${why}`);
}
