/**
 * What the relay needs of the world. The product uses the real ones (`system-ports.ts`, `kube/http.ts`); a simulation brings
 * its own. No other file of the relay touches a clock, a timer, a socket or a source of randomness.
 */

export interface Clock {
  /** Wall time, milliseconds since the epoch. */
  now(): number;
  /** Milliseconds on a clock that is never set. */
  monotonic(): number;
}

export type Cancel = () => void;

export interface Timers {
  after(ms: number, run: () => void): Cancel;
}

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  uuid(): string;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** The whole exchange takes at most this long, else it fails. */
  readonly timeoutMs: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpStream {
  readonly status: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends the stream; the iteration then fails or ends. */
  cut(): void;
}

/** One HTTP server, by its base address. */
export interface Http {
  request(request: HttpRequest): Promise<HttpResponse>;
  /** `timeoutMs` bounds the time to the response's head; the body may go on for ever. */
  stream(request: HttpRequest): Promise<HttpStream>;
}

export interface Log {
  /** For whoever looks for a fault: told at verbosity 4 and above. */
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** At verbosity 2 and above, which is the default. */
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Always, as errors are. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface Ports {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly log: Log;
}

/** A pause as a promise. */
export function sleep(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => {
    timers.after(ms, resolve);
  });
}
