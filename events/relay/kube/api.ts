/** A Kubernetes API client that does what the relay needs: JSON objects, patches with their own types, watches as streams. */
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Http, HttpResponse, HttpStream, Timers } from '../ports.ts';
import { sleep } from '../ports.ts';
import { comeAgainAfterMs, retryAfterMsOf } from './come-again.ts';
import { ApiRefusal, ApiUnreachable } from './errors.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** In which form the answer is wanted; absent: as JSON. */
  readonly accept?: string;
  /** For one try. */
  readonly timeoutMs?: number;
  /** Asked whenever the request is about to leave: how long it may take from now; 0: it may not leave any more. Absent: no limit. */
  readonly leftMs?: () => number;
}

/** Waits for the limiter; throws `ApiUnreachable` when that would take longer than the time given. */
export type Admit = (timeoutMs: number, request: ApiRequest) => Promise<void>;

const JSON_TYPE = 'application/json';
const DEFAULT_TIMEOUT_MS = 30_000;

export class KubeApi {
  readonly #http: Http;
  readonly #timers: Timers;
  readonly #admit: Admit;

  /** `admit` waits for the client-side rate limiter. */
  constructor(http: Http, timers: Timers, admit: Admit) {
    this.#http = http;
    this.#timers = timers;
    this.#admit = admit;
  }

  /**
   * Sends one request; a refusal that asks to come again (429 or 503 with Retry-After) is waited out. Waiting, for the limiter too, counts against the time that is left.
   * Throws `ApiRefusal` or `ApiUnreachable`.
   */
  async request<T = KubeObject>(request: ApiRequest): Promise<T> {
    const limitMs = () => Math.min(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, request.leftMs?.() ?? DEFAULT_TIMEOUT_MS);
    for (let attempt = 1; ; attempt++) {
      await this.#admit(limitMs(), request);
      const timeoutMs = limitMs();
      if (timeoutMs <= 0) throw new ApiUnreachable(`${request.method} ${request.path}: no time left to send it`);
      const response = await this.#send(request, timeoutMs);
      if (response.status < 400) return parse(response.body) as T;
      const refusal = refusalOf(response);
      const pauseMs = comeAgainAfterMs(refusal, attempt);
      if (pauseMs === undefined) throw refusal;
      await sleep(this.#timers, pauseMs);
    }
  }

  /** GET of one object; `undefined` when it is not there. */
  async get<T = KubeObject>(path: string, timeoutMs?: number): Promise<T | undefined> {
    try {
      return await this.request<T>({ method: 'GET', path, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    } catch (e) {
      if (e instanceof ApiRefusal && e.code === 404) return undefined;
      throw e;
    }
  }

  /** Opens a watch, `accept` says in which form. Not limited: watches are few and long. */
  async stream(path: string, accept = JSON_TYPE): Promise<HttpStream> {
    let stream: HttpStream;
    try {
      stream = await this.#http.stream({
        method: 'GET',
        path,
        headers: { accept },
        timeoutMs: DEFAULT_TIMEOUT_MS,
      });
    } catch (e) {
      throw new ApiUnreachable(`GET ${path}: ${String(e)}`, { cause: e });
    }
    if (stream.status < 400) return stream;
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream.chunks) chunks.push(chunk);
    throw refusalOf({ status: stream.status, headers: {}, body: Buffer.concat(chunks) });
  }

  async #send(request: ApiRequest, timeoutMs: number): Promise<HttpResponse> {
    const headers: Record<string, string> = { accept: request.accept ?? JSON_TYPE };
    if (request.body !== undefined) headers['content-type'] = request.contentType ?? JSON_TYPE;
    try {
      return await this.#http.request({
        method: request.method,
        path: request.path,
        headers,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        timeoutMs,
      });
    } catch (e) {
      throw new ApiUnreachable(`${request.method} ${request.path}: ${String(e)}`, { cause: e });
    }
  }
}

function parse(body: Uint8Array): unknown {
  return body.length === 0 ? undefined : JSON.parse(Buffer.from(body).toString('utf8'));
}

function refusalOf(response: HttpResponse): ApiRefusal {
  let status: { reason?: string; message?: string } | undefined;
  try {
    status = parse(response.body) as { reason?: string; message?: string } | undefined;
  } catch {
    status = { message: Buffer.from(response.body).toString('utf8').slice(0, 200) };
  }
  return new ApiRefusal(
    response.status,
    status?.reason ?? '',
    status?.message ?? `HTTP ${response.status}`,
    retryAfterMsOf(response.headers['retry-after']),
  );
}
