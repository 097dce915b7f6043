import { Pool } from 'undici';
import type { FunctionAddress, FunctionAddresses } from './delivery/function-client.ts';
import type { Http, HttpRequest, HttpResponse } from './ports.ts';
import { timeLimit } from './time-limit.ts';

const CONNECTIONS = 32;
/** Shorter than the functions' own limit (75 s on Node, 60 s and more in front of Lambda). */
export const IDLE_MS = 50_000;

/** Addresses of functions: one for all, with exceptions by name (each function URL of a cloud is its own). */
export function functionAddresses(base: string, of: Readonly<Record<string, string>>): FunctionAddresses {
  const known = new Map<string, FunctionAddress>();
  return (name) => {
    const url = of[name] ?? base;
    let address = known.get(url);
    if (!address) {
      const { origin, pathname } = new URL(url);
      address = { http: new PooledHttp(origin), basePath: pathname.replace(/\/+$/, '') };
      known.set(url, address);
    }
    return address;
  };
}

class PooledHttp implements Http {
  readonly #pool: Pool;

  constructor(origin: string) {
    this.#pool = new Pool(origin, {
      connections: CONNECTIONS,
      allowH2: false,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    });
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#pool.request({
      method: request.method as 'POST',
      path: request.path,
      headers: request.headers,
      body: request.body ?? null,
      signal: timeLimit(request.timeoutMs),
    });
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) if (typeof value === 'string') headers[name] = value;
    return { status: response.statusCode, headers, body: new Uint8Array(await response.body.arrayBuffer()) };
  }

  stream(): Promise<never> {
    return Promise.reject(new Error('functions answer whole'));
  }
}
