import type { ReconcileAnswer } from '../../../events/envelope/envelope.ts';
import type { HttpResponse } from '../../../events/relay/ports.ts';
import type { DeliveryFault } from './injector.ts';

/** An answer as it arrives: what came in its place, if something did. `previous`: the answer before it on the same way. */
export function tampered(
  response: HttpResponse,
  fault: DeliveryFault | undefined,
  previous: HttpResponse | undefined,
): HttpResponse {
  if (fault?.what === 'garbage') return { ...response, body: new TextEncoder().encode('<html>bad gateway</html>') };
  if (fault?.what === 'foreign-answer') return previous ?? response;
  if (fault?.what === 'forged-answer') return { ...response, body: withNothingToDo(response) };
  return response;
}

function withNothingToDo({ status, body }: HttpResponse): Uint8Array {
  if (status !== 200) return body;
  const answer = JSON.parse(Buffer.from(body).toString()) as ReconcileAnswer;
  const items = answer.items.map(({ key }) => ({ key, outcome: { type: 'done' }, actions: [] }));
  return new TextEncoder().encode(JSON.stringify({ ...answer, items }));
}
