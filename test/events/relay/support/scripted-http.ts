import type { Http, HttpRequest, HttpResponse, HttpStream } from '../../../../events/relay/ports.ts';

/** A watch under a test's control. */
export class ScriptedStream implements HttpStream {
  readonly status = 200;
  readonly path: string;
  cutBy: 'nobody' | 'client' | 'server' = 'nobody';
  readonly #queue: (string | Error)[] = [];
  #wake: (() => void) | undefined;

  constructor(path: string) {
    this.path = path;
  }

  send(event: unknown): void {
    this.#queue.push(`${JSON.stringify(event)}\n`);
    this.#wake?.();
  }

  end(): void {
    this.cutBy = 'server';
    this.#wake?.();
  }

  cut(): void {
    if (this.cutBy === 'nobody') this.cutBy = 'client';
    this.#wake?.();
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#queue.shift();
      if (next instanceof Error) throw next;
      if (next !== undefined) yield new TextEncoder().encode(next);
      else if (this.cutBy === 'client') throw new Error('aborted');
      else if (this.cutBy === 'server') return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

type Answer = { status: number; body: unknown; headers?: Record<string, string> } | Error;

/** An API server that answers as told and keeps what it was asked. */
export class ScriptedHttp implements Http {
  readonly requests: HttpRequest[] = [];
  readonly streams: ScriptedStream[] = [];
  answer: (request: HttpRequest) => Answer | Promise<Answer> = () => ({ status: 404, body: { reason: 'NotFound' } });
  openStream: (request: HttpRequest) => Answer | undefined = () => undefined;

  async request(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push(request);
    const answer = await this.answer(request);
    if (answer instanceof Error) throw answer;
    const { status, headers = {}, body } = answer;
    return { status, headers, body: new TextEncoder().encode(JSON.stringify(body)) };
  }

  async stream(request: HttpRequest): Promise<HttpStream> {
    const refusal = this.openStream(request);
    if (refusal instanceof Error) throw refusal;
    if (refusal !== undefined) {
      const bytes = new TextEncoder().encode(JSON.stringify(refusal.body));
      return {
        status: refusal.status,
        chunks: (async function* () {
          yield bytes;
        })(),
        cut: () => undefined,
      };
    }
    const stream = new ScriptedStream(request.path);
    this.streams.push(stream);
    return stream;
  }
}
