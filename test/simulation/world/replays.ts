import { encode } from '../../../events/envelope/decode.ts';
import type { ReconcileItem, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import { type Audience, signRequest } from '../../../events/envelope/signing.ts';
import type { HttpRequest } from '../../../events/relay/ports.ts';
import { signingKeys } from './signing-keys.ts';

/** Keeps what was delivered to each function, so that it can be shown or delivered again. */
export class Replays {
  readonly #delivered = new Map<string, HttpRequest[]>();

  keep(name: string, request: HttpRequest): void {
    const before = this.#delivered.get(name);
    if (before === undefined) this.#delivered.set(name, [request]);
    else before.push(request);
  }

  /** What was delivered to that function `back` deliveries ago, if there was such a delivery. */
  ago(name: string, back: number): HttpRequest | undefined {
    return this.#delivered.get(name)?.at(-back);
  }

  /** The request with its keys' snapshots of `back` deliveries ago. */
  withOlderView(name: string, request: HttpRequest, back: number, nowMs: number): HttpRequest {
    const before = (this.#delivered.get(name) ?? []).flatMap((delivered) => messageOf(delivered).items);
    const message = messageOf(request);
    const items = message.items.map((item) => {
      const older = before.filter(({ key }) => key === item.key).at(-back);
      return older === undefined ? item : viewedAs(item, older);
    });
    const audience = request.path.slice('/v1/'.length) as Audience;
    const body = encode({ ...message, items });
    const signature = signRequest(signingKeys, { audience, id: message.deliveryId, body }, nowMs);
    return { ...request, body, headers: { ...request.headers, ...signature } };
  }
}

export function messageOf({ body }: HttpRequest): ReconcileRequest {
  return JSON.parse(Buffer.from(body as Uint8Array).toString()) as ReconcileRequest;
}

function viewedAs(item: ReconcileItem, { primary, reads, positions }: ReconcileItem): ReconcileItem {
  return { ...item, primary, reads, positions };
}
