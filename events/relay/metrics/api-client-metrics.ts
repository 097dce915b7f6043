import type { Clock, Http, HttpRequest, HttpResponse, HttpStream } from '../ports.ts';
import type { Metrics } from './metrics.ts';
import { requestLabels } from './request-labels.ts';

const latencyBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];
const limiterBuckets = Array.from({ length: 10 }, (_, i) => 0.001 * 2 ** i);

/** What is told of the traffic with the API server (runtime.md 12.3). */
export class ApiClientMetrics {
  readonly #clock: Clock;
  readonly #server: string;
  readonly #requests;
  readonly #latency;
  readonly #limiter;

  /** `server`: the API server's base address. */
  constructor(metrics: Metrics, clock: Clock, server: string) {
    this.#clock = clock;
    this.#server = server.replace(/\/+$/, '');
    this.#requests = metrics.counter('kubevirt_rest_client_requests_total', 'Requests to the API server.', [
      'code',
      'method',
      'host',
      'resource',
      'verb',
    ]);
    this.#latency = metrics.histogram(
      'kubevirt_rest_client_request_latency_seconds',
      'How long requests to the API server take; of a watch, until it is open.',
      ['verb', 'url'],
      latencyBuckets,
    );
    this.#limiter = metrics.histogram(
      'kubevirt_rest_client_rate_limiter_duration_seconds',
      'How long requests wait for the client-side rate limiter.',
      ['verb', 'url'],
      limiterBuckets,
    );
  }

  /** The same server, each exchange with it counted and timed. */
  measured(http: Http): Http {
    return {
      request: (request) => this.#timed<HttpResponse>(request, () => http.request(request)),
      stream: (request) => this.#timed<HttpStream>(request, () => http.stream(request)),
    };
  }

  /** Waits for the limiter, and tells how long that took. */
  async limited(request: { readonly method: string; readonly path: string }, wait: () => Promise<void>): Promise<void> {
    const before = this.#clock.monotonic();
    try {
      await wait();
    } finally {
      const { verb, url } = requestLabels(request.method, request.path);
      this.#limiter.observe({ verb, url: this.#server + url }, (this.#clock.monotonic() - before) / 1000);
    }
  }

  async #timed<T extends { readonly status: number }>(request: HttpRequest, exchange: () => Promise<T>): Promise<T> {
    const before = this.#clock.monotonic();
    let code = '<error>';
    try {
      const response = await exchange();
      code = String(response.status);
      return response;
    } finally {
      const { method } = request;
      const { resource, verb, url } = requestLabels(method, request.path);
      this.#requests.inc({ code, method, host: hostOf(this.#server), resource, verb });
      this.#latency.observe({ verb, url: this.#server + url }, (this.#clock.monotonic() - before) / 1000);
    }
  }
}

function hostOf(server: string): string {
  return URL.canParse(server) ? new URL(server).host : server;
}
