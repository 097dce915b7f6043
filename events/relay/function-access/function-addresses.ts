import { Pool } from 'undici';
import { MessageTooLargeError } from '../../envelope/errors.ts';
import { MAX_BODY_BYTES } from '../../envelope/limits.ts';
import type { FunctionAddress, FunctionAddresses } from '../delivery/function-client.ts';
import type { Http, HttpRequest, HttpResponse } from '../ports.ts';
import { timeLimit } from '../time-limit.ts';
import type { SignRequest } from './aws-signature.ts';

const CONNECTIONS = 32;
/** Shorter than the functions' own limit (75 s on Node, 60 s and more in front of Lambda). */
export const IDLE_MS = 50_000;

export interface Addresses {
  /** For all that have none of their own. */
  readonly base: string | undefined;
  /** By the function's name: each function URL of a cloud is its own. */
  readonly of: Readonly<Record<string, string>>;
  /** Makes a signer for an origin; absent: the envelope's signature is all. */
  readonly signer?: (origin: string) => SignRequest;
}

/**
 * Finds the addresses of functions. Connections are shared by those of one address, but not with the lease: it must not wait for
 * deliveries. The result throws for a function without an address, and what `signer` throws.
 */
export function functionAddresses({ base, of, signer }: Addresses): FunctionAddresses {
  const known = new Map<string, FunctionAddress>();
  return (name) => {
    const url = of[name] ?? base;
    if (url === undefined) throw new Error(`no address of the function ${name}`);
    const connections = name === 'lease' ? `lease ${url}` : url;
    let address = known.get(connections);
    if (!address) {
      const { origin, pathname } = new URL(url);
      address = { http: new PooledHttp(origin, signer?.(origin)), basePath: pathname.replace(/\/+$/, '') };
      known.set(connections, address);
    }
    return address;
  };
}

class PooledHttp implements Http {
  readonly #pool: Pool;
  readonly #sign: SignRequest | undefined;

  constructor(origin: string, sign: SignRequest | undefined) {
    this.#sign = sign;
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS,
      allowH2: false,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    });
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    const signal = timeLimit(request.timeoutMs);
    const response = await this.#pool.request({
      method: request.method as 'POST',
      path: request.path,
      headers: this.#sign === undefined ? request.headers : await this.#sign(request),
      body: request.body ?? null,
      signal,
    });
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) if (typeof value === 'string') headers[name] = value;
    return { status: response.statusCode, headers, body: await bounded(response.body) };
  }

  stream(): Promise<never> {
    return Promise.reject(new Error('functions answer whole'));
  }
}

/** A body that is read only as far as one may go. */
async function bounded(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    // Leaving the loop ends the connection.
    if (sizeBytes > MAX_BODY_BYTES) throw new MessageTooLargeError(`an answer of more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
