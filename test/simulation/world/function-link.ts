import type { ReconcileAnswer, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import type { Http, HttpRequest, HttpResponse, HttpStream } from '../../../events/relay/ports.ts';
import type { DeliveryFault } from '../faults/injector.ts';
import { tampered } from '../faults/tampered.ts';
import { traceAnswer, traceRequest } from './delivery-trace.ts';
import type { Keeper } from './keeper.ts';
import type { SimulatedProcess } from './process.ts';
import { messageOf } from './replays.ts';
import type { World } from './world.ts';

/** A request that comes twice comes while the first is worked on. */
const DOUBLE_MS = 1;
/** By then a killed relay's successor leads. */
const SUCCEEDED_MS = 30_000;

/** A relay's way to one function: requests get lost, come twice, late or not at all, and so do answers. */
export class FunctionLink implements Http {
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #name: string;
  readonly #keeper: Keeper;
  #previous: HttpResponse | undefined;

  constructor(world: World, process: SimulatedProcess, name: string, keeper: Keeper) {
    this.#world = world;
    this.#process = process;
    this.#name = name;
    this.#keeper = keeper;
  }

  stream(): Promise<HttpStream> {
    return Promise.reject(new Error('functions answer whole'));
  }

  request(request: HttpRequest): Promise<HttpResponse> {
    const { time, functions, replays, places, isArmed } = this.#world;
    return new Promise((resolve, reject) => {
      if (this.#process.isDead) return;
      const giveUp = time.after(request.timeoutMs, () =>
        this.#process.enter(() => reject(new Error(`no answer within ${request.timeoutMs} ms`))),
      );
      // What the place is like is known when it has been decided on.
      const place = this.#isLease || !isArmed ? undefined : places.deliveries.push(this.#name) - 1;
      const fault = this.#fault(place);
      if (fault?.what === 'functions-restarted') functions.killAll();
      if (fault?.what === 'sender-killed') this.#keeper.killAndRestart();
      if (!this.#isLease) traceRequest(this.#world.trace, this.#name, request);
      const seen =
        fault?.what === 'older-view' ? replays.withOlderView(this.#name, request, fault.back, time.now) : request;
      const older = fault?.what === 'replayed' ? replays.ago(this.#name, fault.back) : undefined;
      if (!this.#isLease) replays.keep(this.#name, request);
      const answer = (response: HttpResponse) =>
        time.after(this.#world.latencyMs() + answerLateMs(fault), () => {
          if (fault?.what === 'answer-lost' || fault?.what === 'older-view' || this.#isCut) return;
          const received = tampered(response, fault, this.#previous);
          this.#previous = response;
          this.#process.enter(() => {
            giveUp();
            resolve(received);
          });
        });
      time.after(this.#world.latencyMs() + requestLateMs(fault), () => {
        if (fault?.what === 'request-lost' || this.#isCut) return;
        // Answers to anything but the request itself reach nobody.
        if (older !== undefined) void this.#invoke(older);
        void this.#invoke(seen, fault, place).then(answer);
        if (fault?.what === 'doubled') time.after(DOUBLE_MS, () => void this.#invoke(request));
      });
    });
  }

  get #isLease(): boolean {
    return this.#name === 'lease';
  }

  get #isCut(): boolean {
    return this.#world.injector.unreachable('functions', this.#world.time.now);
  }

  #fault(place: number | undefined): DeliveryFault | undefined {
    if (place === undefined) return undefined;
    const fault = this.#world.injector.delivery(place, this.#name);
    if (fault !== undefined) this.#world.trace.say(this.#name, () => `FAULT ${JSON.stringify(fault)}`);
    return fault;
  }

  async #invoke(request: HttpRequest, fault?: DeliveryFault, place?: number): Promise<HttpResponse> {
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
      if (place !== undefined) this.#world.places.deliveries[place] = likeness(exchange);
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

/** Without items, but for those that tell of results. */
export type RequestHead = Omit<ReconcileRequest, 'items'> & Partial<Pick<ReconcileRequest, 'items'>>;

/** Items are the most of a request, and come last; they are looked at if they tell of results. */
function headOf(request: HttpRequest): RequestHead {
  const text = Buffer.from(request.body as Uint8Array).toString();
  if (text.includes('"results":[{')) return messageOf(request);
  return JSON.parse(`${text.slice(0, text.indexOf('"items":[') - 1)}}`) as RequestHead;
}

/** Of a delivery: controller, and each key's outcome and actions. */
function likeness({ controller, answer }: Exchange): string {
  const items = answer.items.map(({ outcome, actions }) => [outcome.type, ...actions.map(({ id }) => id)].join(' '));
  return `${controller}: ${[...new Set(items)].join(', ')}`;
}

function requestLateMs(fault: DeliveryFault | undefined): number {
  if (fault?.what === 'sender-killed') return SUCCEEDED_MS;
  return fault?.what === 'request-late' ? fault.byMs : 0;
}

function answerLateMs(fault: DeliveryFault | undefined): number {
  return fault?.what === 'answer-late' ? fault.byMs : 0;
}
