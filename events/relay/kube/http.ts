/** The API server over shared undici pools: KubeConfig brings the credentials, nothing else of the client library is used. */
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { Pool } from 'undici';
import type { Http, HttpRequest, HttpResponse } from '../ports.ts';
import { timeLimit } from '../time-limit.ts';

interface TlsOptions {
  ca?: string | Buffer;
  cert?: string | Buffer;
  key?: string | Buffer;
  servername?: string;
  rejectUnauthorized?: boolean;
  headers?: Record<string, string>;
}

const CREDENTIALS_AGE_MS = 30_000;
const REQUEST_CONNECTIONS = 16;
/** Shorter than the server's own limit (90 s), so that it is not the server who closes a connection about to be used. */
export const IDLE_MS = 60_000;

interface Credentials {
  readonly takenAt: number;
  readonly tls: string;
  readonly headers: Record<string, string>;
}

/** HTTP to the cluster of a kubeconfig. Credentials are read again every 30 s; the pools are rebuilt when certificates change. */
export class KubeHttp implements Http {
  readonly #config: KubeConfig;
  readonly #server: string;
  #requests: Pool | undefined;
  #watches: Pool | undefined;
  #credentials: Credentials | undefined;
  #reading: Promise<Credentials> | undefined;

  constructor(config: KubeConfig) {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new Error('the kubeconfig names no current cluster');
    this.#config = config;
    this.#server = cluster.server;
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    const headers = await this.#headers(request);
    const pool = this.#requests;
    if (!pool) throw new Error('closed');
    const response = await pool.request({
      method: request.method as 'GET',
      path: request.path,
      headers,
      body: request.body ?? null,
      signal: timeLimit(request.timeoutMs),
    });
    const body = new Uint8Array(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: flat(response.headers), body };
  }

  async stream(request: HttpRequest) {
    const headers = await this.#headers(request);
    const pool = this.#watches;
    if (!pool) throw new Error('closed');
    const abort = new AbortController();
    const limit = setTimeout(() => abort.abort(), request.timeoutMs);
    try {
      const response = await pool.request({ method: 'GET', path: request.path, headers, signal: abort.signal });
      return {
        status: response.statusCode,
        chunks: response.body as AsyncIterable<Uint8Array>,
        cut: () => abort.abort(),
      };
    } finally {
      clearTimeout(limit);
    }
  }

  async close(): Promise<void> {
    const pools = [this.#requests, this.#watches];
    this.#requests = undefined;
    this.#watches = undefined;
    await Promise.all(pools.map((p) => p?.destroy() ?? Promise.resolve()));
  }

  async #headers(request: HttpRequest): Promise<Record<string, string>> {
    const credentials = await this.#fresh();
    return { ...request.headers, ...credentials.headers };
  }

  #fresh(): Promise<Credentials> {
    const have = this.#credentials;
    if (have && performance.now() - have.takenAt < CREDENTIALS_AGE_MS) return Promise.resolve(have);
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<Credentials> {
    const options: TlsOptions = {};
    await this.#config.applyToHTTPSOptions(options as Parameters<KubeConfig['applyToHTTPSOptions']>[0]);
    const { ca, cert, key, servername, rejectUnauthorized } = options;
    const tls = JSON.stringify([ca, cert, key, servername, rejectUnauthorized]);
    if (this.#credentials?.tls !== tls) {
      const connect = {
        ...(ca === undefined ? {} : { ca }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
        ...(servername === undefined ? {} : { servername }),
        ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
        keepAlive: true,
        keepAliveInitialDelay: 30_000,
      };
      const old = [this.#requests, this.#watches];
      this.#requests = new Pool(this.#server, {
        connections: REQUEST_CONNECTIONS,
        allowH2: false,
        keepAliveTimeout: IDLE_MS,
        keepAliveMaxTimeout: IDLE_MS,
        connect,
      });
      this.#watches = new Pool(this.#server, { connections: null, allowH2: false, bodyTimeout: 0, connect });
      for (const pool of old) void pool?.close();
    }
    this.#credentials = { takenAt: performance.now(), tls, headers: options.headers ?? {} };
    return this.#credentials;
  }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value;
  return out;
}
