/** The few API calls that bringing up a stack needs. The relay has a client of its own, made for its load. */
import { readFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { comeAgainAfterMs, retryAfterMsOf } from '../../events/relay/kube/come-again.ts';

/** An error answer of the API server. */
export class ApiError extends Error {
  /** HTTP status. */
  readonly status: number;
  /** `reason` of the Status object: `NotFound`, `AlreadyExists`, ... */
  readonly reason: string | undefined;
  /** When the server asks to come again, if it does. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, reason: string | undefined, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Any object of the API, by its fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * One call; resolves to the decoded answer.
 *
 * `path` begins with `/api` or `/apis`. `contentType` is JSON if absent; patches name theirs.
 *
 * @throws ApiError for an answer of 400 and above; other errors when there was no answer.
 */
export type KubeRequest = (method: string, path: string, body?: object, contentType?: string) => Promise<JsonObject>;

export interface KubeConnection {
  readonly server: string;
  readonly token: string;
  /** PEM. */
  readonly certificateAuthority: string;
}

export const mergePatch = 'application/merge-patch+json';

const timeLimitMs = 30_000;

/** Reads a kubeconfig as this project writes it (control-plane/kubeconfig.ts), or any with one inline CA and token. */
export function connectionOf(kubeconfigFile: string): KubeConnection {
  const text = readFileSync(kubeconfigFile, 'utf8');
  const field = (name: string): string => {
    const value = new RegExp(`["']?${name}["']?:\\s*["']?([^\\s"',}]+)`).exec(text)?.[1];
    if (value === undefined) throw new Error(`${kubeconfigFile} has no ${name}`);
    return value;
  };
  const certificateAuthority = Buffer.from(field('certificate-authority-data'), 'base64').toString('utf8');
  return { server: field('server'), token: field('token'), certificateAuthority };
}

/**
 * Connections are kept open between calls and do not keep the process alive. A refusal that asks to come again (429 or 503 with
 * Retry-After) is waited out, ten times at most.
 */
export function kubeRequest(connection: KubeConnection): KubeRequest {
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca: connection.certificateAuthority });
  return async (method, path, body, contentType = 'application/json') => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(connection, agent, method, path, body, contentType);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const pauseMs = comeAgainAfterMs({ code: error.status, retryAfterMs: error.retryAfterMs }, attempt);
        if (pauseMs === undefined) throw error;
        await sleep(pauseMs);
      }
    }
  };
}

function once(
  connection: KubeConnection,
  agent: Agent,
  method: string,
  path: string,
  body: object | undefined,
  contentType: string,
): Promise<JsonObject> {
  return new Promise((done, fail) => {
    const data = body === undefined ? undefined : JSON.stringify(body);
    const request = httpsRequest(new URL(path, connection.server), {
      method,
      agent,
      timeout: timeLimitMs,
      headers: {
        authorization: `Bearer ${connection.token}`,
        accept: 'application/json',
        ...(data === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(data) }),
      },
    });
    request.once('timeout', () => request.destroy(new Error(`${method} ${path}: no answer in ${timeLimitMs} ms`)));
    request.once('error', fail);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', fail);
      response.once('end', () => {
        const status = response.statusCode ?? 0;
        const answer = decode(Buffer.concat(chunks).toString('utf8'));
        if (status < 400) return done(answer);
        const { reason, message } = answer as { reason?: string; message?: string };
        const text = `${method} ${path}: ${status} ${message ?? ''}`;
        return fail(new ApiError(status, reason, text, retryAfterMsOf(response.headers['retry-after'])));
      });
    });
    request.end(data);
  });
}

/** Health end points answer in plain text, which becomes `message`. */
function decode(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Plain text.
  }
  return { message: text };
}
