import type { ReconcileAnswer, ReconcileRequest } from '../../../events/envelope/envelope.ts';
import type { HttpRequest, HttpResponse } from '../../../events/relay/ports.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Trace } from './trace.ts';

/** Who sees what: each key with the versions of all objects of its snapshot. */
export function traceRequest(trace: Trace, name: string, { body }: HttpRequest): void {
  if (!trace.isRead) return;
  const { items, token } = JSON.parse(Buffer.from(body as Uint8Array).toString()) as ReconcileRequest;
  for (const { key, results, primary, reads } of items) {
    const seen = Object.entries({ primary, ...reads }).map(([read, value]) => `${read}=${brief(value)}`);
    const told = results.length > 0 ? ` after ${JSON.stringify(results)}` : '';
    trace.say(name, () => `sees ${key} (token ${token}): ${seen.join(' ')}${told}`);
  }
}

/** What it decides. */
export function traceAnswer(trace: Trace, name: string, { status, body }: HttpResponse): void {
  if (!trace.isRead) return;
  const text = Buffer.from(body).toString();
  if (status !== 200) return trace.say(name, () => `refuses: ${text}`);
  for (const { key, outcome, actions } of (JSON.parse(text) as ReconcileAnswer).items) {
    const list = actions.map(({ verb, id }) => `${verb}: ${id}`).join('; ');
    trace.say(name, () => `decides ${key}: ${JSON.stringify(outcome)} [${list}]`);
  }
}

function brief(read: readonly KubeObject[] | KubeObject | null): string {
  const version = ({ metadata: { name, resourceVersion } }: KubeObject) => `${name}@${resourceVersion ?? ''}`;
  if (read === null) return '-';
  return 'metadata' in read ? version(read) : `[${read.map(version).join(',')}]`;
}
