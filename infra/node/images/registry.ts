import type { Readable } from 'node:stream';
import { parseChallenge } from './challenge.ts';
import { basic, type Credential } from './credentials.ts';
import { type Answer, bytesOf, get } from './http.ts';
import { MANIFEST_TYPES } from './manifest.ts';
import { PullError } from './pull-error.ts';
import { type ImageReference, isLoopback } from './reference.ts';

export interface RegistryOptions {
  /** Tried in turn; none: anonymous. */
  readonly credentials: readonly Credential[];
  readonly signal: AbortSignal;
  readonly silenceMs: number;
}

const MANIFEST_LIMIT_BYTES = 4 * 1024 * 1024;
const SMALL_LIMIT_BYTES = 1024 * 1024;
const DENIED = new Set([401, 403]);

/** One repository of a registry that speaks the OCI distribution API (and Docker's, version 2, which is the same here). */
export class Registry {
  readonly #reference: ImageReference;
  readonly #options: RegistryOptions;
  readonly #candidates: (Credential | undefined)[];
  /** Found to be right for the first of the candidates. */
  #authorization: string | undefined;

  constructor(reference: ImageReference, options: RegistryOptions) {
    this.#reference = reference;
    this.#options = options;
    this.#candidates = options.credentials.length === 0 ? [undefined] : [...options.credentials];
  }

  /** A manifest's bytes, not checked. */
  async manifest(target: string): Promise<Buffer> {
    const answer = await this.#get(`manifests/${target}`, MANIFEST_TYPES.join(', '));
    return bytesOf(answer, MANIFEST_LIMIT_BYTES, 'the manifest');
  }

  /** A blob's bytes as they come, not checked. */
  async blob(digest: string): Promise<Readable> {
    return (await this.#get(`blobs/${digest}`, '*/*')).body;
  }

  async smallBlob(digest: string): Promise<Buffer> {
    return bytesOf(await this.#get(`blobs/${digest}`, '*/*'), SMALL_LIMIT_BYTES, 'the config');
  }

  async #get(path: string, accept: string): Promise<Answer> {
    const { registry, repository } = this.#reference;
    const url = new URL(`${isLoopback(registry) ? 'http' : 'https'}://${registry}/v2/${repository}/${path}`);
    for (;;) {
      const answer = await this.#asked(url, accept);
      if (answer.status === 200) return answer;
      const words = await wordsOf(answer);
      // The next credentials may do better.
      if (DENIED.has(answer.status) && this.#candidates.length > 1) {
        this.#candidates.shift();
        this.#authorization = undefined;
        continue;
      }
      throw this.#refusal(answer.status, path, words);
    }
  }

  /** The answer, once after the registry has said how it wants to be asked. */
  async #asked(url: URL, accept: string): Promise<Answer> {
    const first = await this.#send(url, accept);
    if (first.status !== 401) return first;
    const authorization = await this.#authorize(parseChallenge(first.headers.get('www-authenticate')));
    if (authorization === undefined || authorization === this.#authorization) return first;
    first.discard();
    this.#authorization = authorization;
    return this.#send(url, accept);
  }

  #send(url: URL, accept: string): Promise<Answer> {
    const authorization = this.#authorization;
    const headers = { accept, ...(authorization === undefined ? {} : { authorization }) };
    return get(url, { ...this.#options, headers });
  }

  async #authorize(challenge: ReturnType<typeof parseChallenge>): Promise<string | undefined> {
    const credential = this.#candidates[0];
    if (challenge?.type === 'basic') return credential && basic(credential);
    if (challenge?.type !== 'bearer') return undefined;
    const { repository, registry } = this.#reference;
    const url = tokenUrl(challenge.realm, registry);
    if (challenge.service !== undefined) url.searchParams.set('service', challenge.service);
    url.searchParams.set('scope', challenge.scope ?? `repository:${repository}:pull`);
    const headers = { accept: 'application/json', ...(credential && { authorization: basic(credential) }) };
    const answer = await get(url, { ...this.#options, headers });
    if (DENIED.has(answer.status)) {
      answer.discard();
      return undefined;
    }
    const text = (await bytesOf(answer, SMALL_LIMIT_BYTES, 'the token')).toString('utf8');
    if (answer.status !== 200) throw new PullError('refused', `${url.host} gives no token: ${answer.status}`);
    return `Bearer ${tokenIn(text, url)}`;
  }

  #refusal(status: number, path: string, words: string): PullError {
    const { text, registry } = this.#reference;
    const said = `${status}${words === '' ? '' : `, ${words}`}`;
    if (DENIED.has(status)) return new PullError('unauthorized', `${registry} denies access to ${text} (${said})`);
    if (status === 404) return new PullError('not-found', `${text} is not found at ${registry} (${path}: ${said})`);
    return new PullError('refused', `${registry} answers ${said}`);
  }
}

function tokenUrl(realm: string, registry: string): URL {
  const url = URL.parse(realm);
  // Another machine's registry has no business with servers on this one.
  if (url === null || (isLoopback(url.host) && !isLoopback(registry))) {
    throw new PullError('refused', `${registry} sends for tokens to ${realm}`);
  }
  return url;
}

function tokenIn(text: string, url: URL): string {
  try {
    const { token, access_token } = JSON.parse(text) as { token?: unknown; access_token?: unknown };
    const found = token ?? access_token;
    if (typeof found === 'string') return found;
  } catch {
    // Told below.
  }
  throw new PullError('refused', `${url.host} answers with no token`);
}

/** The registry's own words, where it has any. */
async function wordsOf(answer: Answer): Promise<string> {
  const text = await bytesOf(answer, SMALL_LIMIT_BYTES, 'the answer').then(String, () => '');
  try {
    const { errors } = JSON.parse(text) as { errors?: readonly { code?: string; message?: string }[] };
    return (errors ?? [])
      .map((e) => e.message ?? e.code ?? '')
      .join(', ')
      .slice(0, 300);
  } catch {
    return '';
  }
}
