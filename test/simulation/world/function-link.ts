import type { ReconcileAnswer, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import type { Http, HttpRequest, HttpResponse, HttpStream } from '../../../events/relay/ports.ts';
import type { DeliveryFault } from '../faults/injector.ts';
import { tampered } from '../faults/tampered.ts';
import { traceAnswer, traceRequest } from './delivery-trace.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

/** A relay's way to one function: requests get lost, come twice, late or not at all, and so do answers. */
export class FunctionLink implements Http {
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #name: string;
  #previous: HttpResponse | undefined;

  constructor(world: World, process: SimulatedProcess, name: string) {
    this.#world = world;
    this.#process = process;
    this.#name = name;
  }

  stream(): Promise<HttpStream> {
    return Promise.reject(new Error('functions answer whole'));
  }

  request(request: HttpRequest): Promise<HttpResponse> {
    const { time, functions } = this.#world;
    return new Promise((resolve, reject) => {
      if (this.#process.isDead) return;
      const giveUp = time.after(request.timeoutMs, () =>
        this.#process.enter(() => reject(new Error(`no answer within ${request.timeoutMs} ms`))),
      );
      const fault = this.#fault();
      if (fault?.what === 'functions-restarted') functions.killAll();
      const seen = this.#isLease ? request : this.#world.replays.seen(this.#name, request, fault, time.now);
      if (!this.#isLease) traceRequest(this.#world.trace, this.#name, seen);
      const answer = (response: HttpResponse) =>
        time.after(this.#world.latencyMs() + lateMs(fault, 'answer-late'), () => {
          if (fault?.what === 'answer-lost' || this.#isCut) return;
          const received = tampered(response, fault, this.#previous);
          this.#previous = response;
          this.#process.enter(() => {
            giveUp();
            resolve(received);
          });
        });
      time.after(this.#world.latencyMs() + lateMs(fault, 'request-late'), () => {
        if (fault?.what === 'request-lost' || this.#isCut) return;
        void this.#invoke(seen, fault).then(answer);
        // The second one's answer reaches nobody: the connection has been answered.
        if (fault?.what === 'doubled') time.after(20, () => void this.#invoke(seen, undefined));
      });
    });
  }

  get #isLease(): boolean {
    return this.#name === 'lease';
  }

  get #isCut(): boolean {
    return this.#world.injector.unreachable('functions', this.#world.time.now);
  }

  #fault(): DeliveryFault | undefined {
    const { injector, counts, trace, isArmed } = this.#world;
    if (this.#isLease || !isArmed) return undefined;
    const fault = injector.delivery(counts.deliveries++, this.#name);
    if (fault !== undefined) trace.say(this.#name, () => `FAULT ${JSON.stringify(fault)}`);
    return fault;
  }

  async #invoke(request: HttpRequest, fault: DeliveryFault | undefined): Promise<HttpResponse> {
    const { functions, onExchange, trace } = this.#world;
    const leaseToken = this.#world.leaseToken;
    const response = await functions.invoke(this.#name, request, fault);
    if (this.#isLease) return response;
    traceAnswer(trace, this.#name, response);
    if (response.status === 200 && onExchange.length > 0) {
      const exchange = {
        controller: this.#name,
        leaseToken,
        request: headOf(request),
        answer: JSON.parse(Buffer.from(response.body).toString()) as ReconcileAnswer,
      };
      for (const tell of onExchange) tell(exchange);
    }
    return response;
  }
}

/** A delivery that was answered, as it passed on the wire. */
export interface Exchange {
  readonly controller: string;
  /** The lease's token when the request arrived. */
  readonly leaseToken: number;
  readonly request: RequestHead;
  readonly answer: ReconcileAnswer;
}

export type RequestHead = Omit<ReconcileRequest, 'items'>;

/** Its items are the most of a request, and come last. */
function headOf({ body }: HttpRequest): RequestHead {
  const text = Buffer.from(body as Uint8Array).toString();
  return JSON.parse(`${text.slice(0, text.indexOf('"items":['))}"items":[]}`) as RequestHead;
}

function lateMs(fault: DeliveryFault | undefined, what: 'request-late' | 'answer-late'): number {
  return fault?.what === what ? fault.byMs : 0;
}
