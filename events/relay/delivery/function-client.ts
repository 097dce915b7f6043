/** Speaks to the functions: encodes, signs, sends, verifies, decodes. */
import { decodeLeaseAnswer, decodeReconcileAnswer } from '../../envelope/decode.ts';
import type { LeaseAnswer, LeaseRequest, ReconcileAnswer, ReconcileRequest } from '../../envelope/envelope.ts';
import type { Problem } from '../../envelope/problem.ts';
import { type Audience, type SigningKeys, signRequest, verifyAnswer } from '../../envelope/signing.ts';
import type { Http, HttpResponse, Ports } from '../ports.ts';

/** The function refused the whole request. */
export class FunctionRefusal extends Error {
  override readonly name = 'FunctionRefusal';
  readonly problem: Problem['type'] | 'unknown';
  readonly status: number;

  constructor(problem: Problem['type'] | 'unknown', status: number, message: string) {
    super(message);
    this.problem = problem;
    this.status = status;
  }
}

export interface LeaseClient {
  lease(request: LeaseRequest, timeoutMs: number): Promise<LeaseAnswer>;
}

/** The HTTP server of a function, and the path before `/v1/`. */
export interface FunctionAddress {
  readonly http: Http;
  readonly basePath: string;
}

/** Finds the function of a controller, or `lease`. */
export type FunctionAddresses = (name: string) => FunctionAddress;

export class FunctionClient implements LeaseClient {
  readonly #addressOf: FunctionAddresses;
  readonly #keys: SigningKeys;
  readonly #ports: Ports;

  constructor(addressOf: FunctionAddresses, keys: SigningKeys, ports: Ports) {
    this.#addressOf = addressOf;
    this.#keys = keys;
    this.#ports = ports;
  }

  /**
   * Delivers a batch. Throws `FunctionRefusal`, an envelope error for an answer that is not one to this request, or what the
   * transport throws.
   */
  async reconcile(
    controller: string,
    request: ReconcileRequest,
    body: Uint8Array,
    timeoutMs: number,
  ): Promise<ReconcileAnswer> {
    const bytes = await this.#post(
      controller,
      `reconcile/${controller}`,
      request.deliveryId,
      request.token,
      body,
      timeoutMs,
    );
    return decodeReconcileAnswer(bytes, request);
  }

  async lease(request: LeaseRequest, timeoutMs: number): Promise<LeaseAnswer> {
    const token = request.action === 'acquire' ? 0 : request.token;
    const body = new TextEncoder().encode(JSON.stringify(request));
    return decodeLeaseAnswer(await this.#post('lease', 'lease', this.#ports.random.uuid(), token, body, timeoutMs));
  }

  async #post(
    name: string,
    audience: Audience,
    id: string,
    token: number,
    body: Uint8Array,
    timeoutMs: number,
  ): Promise<Uint8Array> {
    const { http, basePath } = this.#addressOf(name);
    const headers = {
      'content-type': 'application/json',
      ...signRequest(this.#keys, { audience, id, body }, this.#ports.clock.now()),
    };
    const response = await http.request({
      method: 'POST',
      path: `${basePath}/v1/${audience}`,
      headers,
      body,
      timeoutMs,
    });
    if (response.status !== 200) throw refusalOf(response);
    verifyAnswer(
      this.#keys,
      { audience, id, token, headers: (h) => response.headers[h], body: response.body },
      this.#ports.clock.now(),
    );
    return response.body;
  }
}

function refusalOf(response: HttpResponse): FunctionRefusal {
  const text = Buffer.from(response.body).toString('utf8').slice(0, 2000);
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    return new FunctionRefusal(problem.type ?? 'unknown', response.status, problem.detail ?? problem.title ?? text);
  } catch {
    return new FunctionRefusal('unknown', response.status, text.slice(0, 200));
  }
}
