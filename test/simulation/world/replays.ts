import { encode } from '../../../events/envelope/decode.ts';
import type { ReconcileItem, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import { type Audience, signRequest } from '../../../events/envelope/signing.ts';
import type { HttpRequest } from '../../../events/relay/ports.ts';
import type { DeliveryFault } from '../faults/injector.ts';
import { signingKeys } from './signing-keys.ts';

/** Remembers what each key's deliveries showed, so that one can show it again. */
export class Replays {
  readonly #bodies: { readonly name: string; readonly body: HttpRequest['body'] }[] = [];

  /** The request as the function gets it: its snapshots may be those that the same keys' deliveries showed before. */
  seen(name: string, request: HttpRequest, fault: DeliveryFault | undefined, nowMs: number): HttpRequest {
    const seen = fault?.what === 'older-snapshot' ? this.#older(name, request, fault.back, nowMs) : request;
    this.#bodies.push({ name, body: request.body });
    return seen;
  }

  #older(name: string, request: HttpRequest, back: number, nowMs: number): HttpRequest {
    const before = this.#bodies.filter((b) => b.name === name).flatMap(({ body }) => messageOf(body).items);
    const message = messageOf(request.body);
    const items = message.items.map((item) => {
      const older = before.filter(({ key }) => key === item.key).at(-back);
      return older === undefined ? item : withViewOf(item, older);
    });
    const audience = request.path.slice('/v1/'.length) as Audience;
    const body = encode({ ...message, items });
    const signature = signRequest(signingKeys, { audience, id: message.deliveryId, body }, nowMs);
    return { ...request, body, headers: { ...request.headers, ...signature } };
  }
}

function messageOf(body: HttpRequest['body']): ReconcileRequest {
  return JSON.parse(Buffer.from(body as Uint8Array).toString()) as ReconcileRequest;
}

function withViewOf(item: ReconcileItem, { primary, reads, positions }: ReconcileItem): ReconcileItem {
  return { ...item, primary, reads, positions };
}
