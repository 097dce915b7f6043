import http from 'node:http';
import https from 'node:https';
import type { Connection } from './connection.ts';

/** The API server's refusal. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, what: string, message: string) {
    super(`${what}: ${status} ${message}`);
    this.name = 'ApiError';
    this.status = status;
  }
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

export type PatchType = 'json-patch' | 'merge-patch' | 'strategic-merge-patch';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: unknown;
}

const REQUEST_LIMIT_MS = 15_000;
/** A watch that stays silent this much longer than the server was asked to keep it has been cut without notice. */
const WATCH_SLACK_MS = 15_000;
const TOO_MANY_REQUESTS = 429;

/** The few calls of the Kubernetes API that the node agent makes: JSON only, connections kept, a time limit on each call. */
export class KubeClient {
  readonly #connection: Connection;
  readonly #lib: typeof http | typeof https;
  readonly #agent: http.Agent;

  constructor(connection: Connection) {
    this.#connection = connection;
    const options = { keepAlive: true, maxSockets: 32 };
    if (connection.server.protocol === 'http:') {
      this.#lib = http;
      this.#agent = new http.Agent(options);
    } else {
      this.#lib = https;
      this.#agent = new https.Agent({
        ...options,
        ca: connection.certificateAuthority,
        cert: connection.clientCertificate,
        key: connection.clientKey,
        rejectUnauthorized: !connection.skipVerification,
      });
    }
  }

  get<T>(path: string): Promise<T> {
    return this.#call<T>('GET', path);
  }
  post<T>(path: string, object: unknown): Promise<T> {
    return this.#call<T>('POST', path, object);
  }
  put<T>(path: string, object: unknown): Promise<T> {
    return this.#call<T>('PUT', path, object);
  }
  patch<T>(path: string, type: PatchType, patch: unknown): Promise<T> {
    return this.#call<T>('PATCH', path, patch, `application/${type}+json`);
  }
  delete<T>(path: string, options: unknown): Promise<T> {
    return this.#call<T>('DELETE', path, options);
  }

  /**
   * Follows a collection from a version on. Resolves when the server ends the watch after `seconds`; rejects with an
   * {@link ApiError} when the server refuses or reports one (410: too old), with another error when the connection breaks.
   */
  async watch(
    path: string,
    resourceVersion: string,
    seconds: number,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=${seconds}&resourceVersion=${resourceVersion}`;
    const full = `${path}${path.includes('?') ? '&' : '?'}${query}`;
    const response = await this.#send('GET', full, undefined, undefined, signal, seconds * 1000 + WATCH_SLACK_MS);
    if (response.statusCode !== 200) throw await refusal(`watch ${path}`, response);
    let rest = '';
    response.setEncoding('utf8');
    for await (const chunk of response as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = JSON.parse(line) as WatchEvent;
        if (event.type === 'ERROR') {
          const status = event.object as { code?: number; message?: string };
          throw new ApiError(status.code ?? 500, `watch ${path}`, status.message ?? '');
        }
        onEvent(event);
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #call<T>(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<T> {
    // The server says so for a moment while the storage of a new kind starts.
    for (let attempt = 0; ; attempt++) {
      const response = await this.#send(method, path, body, contentType, undefined, REQUEST_LIMIT_MS);
      if (response.statusCode === TOO_MANY_REQUESTS && attempt < 10) {
        response.resume();
        await new Promise((resolve) => setTimeout(resolve, 300));
        continue;
      }
      if ((response.statusCode ?? 0) >= 300) throw await refusal(`${method} ${path}`, response);
      return JSON.parse(await textOf(response)) as T;
    }
  }

  #send(
    method: string,
    path: string,
    body: unknown,
    contentType: string | undefined,
    signal: AbortSignal | undefined,
    silenceLimitMs: number,
  ): Promise<http.IncomingMessage> {
    const { server, token } = this.#connection;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (payload !== undefined && contentType !== undefined) {
      headers['content-type'] = contentType;
      // Node would send a DELETE's body without any framing.
      headers['content-length'] = String(Buffer.byteLength(payload));
    }
    return new Promise((resolve, reject) => {
      const request = this.#lib.request(
        new URL(path, server),
        { method, headers, agent: this.#agent, signal },
        resolve,
      );
      request.setTimeout(silenceLimitMs, () => {
        request.destroy(new Error(`${method} ${path}: no answer within ${silenceLimitMs} ms`));
      });
      request.on('error', reject);
      request.end(payload);
    });
  }
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response as AsyncIterable<string>) text += chunk;
  return text;
}

async function refusal(what: string, response: http.IncomingMessage): Promise<ApiError> {
  const text = await textOf(response);
  let message = text.slice(0, 500);
  try {
    message = (JSON.parse(text) as { message?: string }).message ?? message;
  } catch {
    // Not every refusal is a Status object (a proxy's may be plain text).
  }
  return new ApiError(response.statusCode ?? 0, what, message);
}
