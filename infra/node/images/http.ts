import { Readable } from 'node:stream';
import { PullError } from './pull-error.ts';
import { isLoopback } from './reference.ts';

export interface HttpOptions {
  readonly signal: AbortSignal;
  /** Longest time without a byte from the other side. */
  readonly silenceMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
  /** Ends the exchange without the (rest of the) body. */
  discard(): void;
}

const REDIRECTS_AT_MOST = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * GET, with redirects: secrets in the headers stay with the host they are for, and only what began on this machine may go on in
 * plain HTTP. Throws a {@link PullError} when the other side is not reached or falls silent; the body does so too.
 */
export async function get(url: URL, options: HttpOptions): Promise<Answer> {
  const plainAllowed = isLoopback(url.host);
  let { headers } = options;
  let at = url;
  for (let redirects = 0; ; redirects++) {
    if (at.protocol !== 'https:' && !(plainAllowed && at.protocol === 'http:' && isLoopback(at.host))) {
      throw new PullError('refused', `${url.host} leads to ${at.origin}, which is not asked without TLS`);
    }
    const answer = await once(at, { ...options, headers });
    const location = answer.headers.get('location');
    if (!REDIRECTS.has(answer.status) || location === null) return answer;
    answer.discard();
    if (redirects >= REDIRECTS_AT_MOST) throw new PullError('refused', `${url.host} redirects again and again`);
    const next = new URL(location, at);
    if (next.origin !== at.origin) headers = withoutAuthorization(headers);
    at = next;
  }
}

/** The body as bytes. Throws a {@link PullError} when there are more than that. */
export async function bytesOf({ body }: Answer, limitBytes: number, what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limitBytes) throw new PullError('bad-image', `${what} has more than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function once(url: URL, { headers, signal, silenceMs }: HttpOptions): Promise<Answer> {
  const silence = new AbortController();
  const fallenSilent = new PullError('unreachable', `${url.host} has sent nothing for ${silenceMs / 1000} s`);
  const timer = setTimeout(() => silence.abort(fallenSilent), silenceMs);
  const discard = (): void => {
    clearTimeout(timer);
    silence.abort();
  };
  try {
    const response = await fetch(url, {
      // A layer is hashed as it is stored: nobody on the way may compress it.
      headers: { 'accept-encoding': 'identity', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    const body = Readable.from(watched(response.body, timer, url), { objectMode: false });
    return { status: response.status, headers: response.headers, body, discard };
  } catch (error) {
    clearTimeout(timer);
    throw told(error, url, 'cannot be reached');
  }
}

async function* watched(body: ReadableStream<Uint8Array> | null, timer: NodeJS.Timeout, url: URL) {
  try {
    for await (const chunk of body ?? []) {
      timer.refresh();
      yield chunk;
    }
  } catch (error) {
    throw told(error, url, 'broke off');
  } finally {
    clearTimeout(timer);
  }
}

/** fetch hides what happened in the error's cause. */
function told(error: unknown, url: URL, what: string): unknown {
  if (error instanceof PullError || !(error instanceof Error) || error.name === 'AbortError') return error;
  const cause = error.cause instanceof Error ? error.cause : error;
  const why = cause.message === '' ? ((cause as NodeJS.ErrnoException).code ?? cause.name) : cause.message;
  return new PullError('unreachable', `${url.host} ${what}: ${why}`, { cause: error });
}

function withoutAuthorization(headers: HttpOptions['headers']): HttpOptions['headers'] {
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => name !== 'authorization'));
}
