import { encode } from '../../../events/envelope/decode.ts';
import type { ReconcileItem, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import { type Audience, signRequest } from '../../../events/envelope/signing.ts';
import type { HttpRequest } from '../../../events/relay/ports.ts';
import type { DeliveryFault } from '../faults/injector.ts';
import { signingKeys } from './signing-keys.ts';

/** Remembers what each key's deliveries showed, so that one can show it again. */
export class Replays {
  readonly #shown = new Map<string, ReconcileItem[]>();

  /** The request as the function gets it: its snapshots may be those that the same keys' deliveries showed before. */
  seen(name: string, request: HttpRequest, fault: DeliveryFault | undefined, nowMs: number): HttpRequest {
    const message = JSON.parse(Buffer.from(request.body as Uint8Array).toString()) as ReconcileRequest;
    const back = fault?.what === 'older-snapshot' ? fault.back : undefined;
    const items = message.items.map((item) => {
      const shown = this.#shown.get(`${name}/${item.key}`) ?? [];
      this.#shown.set(`${name}/${item.key}`, [...shown, item]);
      const older = back === undefined ? undefined : shown.at(-back);
      if (older === undefined) return item;
      return { ...item, primary: older.primary, reads: older.reads, positions: older.positions };
    });
    if (back === undefined) return request;
    const audience = request.path.slice('/v1/'.length) as Audience;
    const body = encode({ ...message, items });
    const signature = signRequest(signingKeys, { audience, id: message.deliveryId, body }, nowMs);
    return { ...request, body, headers: { ...request.headers, ...signature } };
  }
}
