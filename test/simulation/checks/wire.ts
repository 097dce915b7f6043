import type { Action } from '../../../functions/core/action.ts';
import { reached } from '../../../functions/core/expectation.ts';
import type { Exchange } from '../world/function-link.ts';
import type { Served, World } from '../world/world.ts';

/** What must hold of each exchange and each write, whatever comes of it. */
export function watchWire(world: World): void {
  const complain = (what: string) => void world.complaints.push(what);
  const names = new Map<string, string>();
  world.onExchange.push((exchange) => {
    fenced(exchange, complain);
    named(exchange, names, complain);
    expected(exchange, complain);
  });
  const looked = new Set<string>();
  world.onRequest.push((served) => {
    if (!served.who.startsWith('relay')) return;
    namedByUid(served, complain);
    lookedFor(served, looked, complain);
  });
}

/** Deletions name the object that is meant, not whichever has its name. */
function namedByUid({ who, request: { method, path, body } }: Served, complain: (what: string) => void): void {
  const { preconditions } = (body ?? {}) as { preconditions?: { uid?: string } };
  if (method === 'DELETE' && preconditions?.uid === undefined) complain(`${who} deletes ${path} without its uid`);
}

/** Absence is checked live: whoever creates a VMI's launcher pod has just looked whether there is one. */
function lookedFor(
  { who, request: { method, path, body } }: Served,
  looked: Set<string>,
  complain: (what: string) => void,
): void {
  if (!/\/pods(\?|$)/.test(path)) return;
  if (method === 'GET') looked.add(`${who} ${decodeURIComponent(path)}`);
  const { labels } = ((body ?? {}) as { metadata?: { labels?: Record<string, string> } }).metadata ?? {};
  const vmi = labels?.['kubevirt.io/created-by'];
  if (method !== 'POST' || vmi === undefined || labels?.['kubevirt.io'] !== 'virt-launcher') return;
  const look = [...looked].find((text) => text.startsWith(`${who} `) && text.includes(`kubevirt.io/created-by=${vmi}`));
  if (look === undefined) complain(`${who} creates a launcher pod of VMI ${vmi} without looking`);
  else looked.delete(look);
}

/** Fencing: no answer under a token that is not the lease's, no delivery of what was listed under another. */
function fenced({ controller, leaseToken, request }: Exchange, complain: (what: string) => void): void {
  const { token, listedToken } = request;
  if (token !== leaseToken) complain(`${controller} answers under token ${token}, the lease's is ${leaseToken}`);
  if (listedToken !== token) complain(`${controller} gets under token ${token} what was listed under ${listedToken}`);
}

/** Expectations: what was done is not done again by a view that does not show it yet. */
function expected({ request, answer }: Exchange, complain: (what: string) => void): void {
  for (const { key, results, positions } of request.items ?? []) {
    const actions = answer.items.find((item) => item.key === key)?.actions ?? [];
    for (const result of results) {
      if (result.status !== 'done' || result.resourceVersion === undefined) continue;
      if (reached(positions[result.kind], result.resourceVersion)) continue;
      if (actions.some((action) => action.id === result.id && isRisky(action)))
        complain(`${result.id} of ${key} is handed out again though it was done at ${result.resourceVersion}`);
    }
  }
}

/** What would do harm if it were done twice. */
function isRisky({ verb }: Action): boolean {
  return verb === 'create' || verb === 'delete';
}

/** Derived names: one delivery that is decided twice names what it creates alike. */
function named({ request, answer }: Exchange, names: Map<string, string>, complain: (what: string) => void): void {
  for (const { key, actions } of answer.items)
    for (const action of actions.filter(isCreation)) {
      const place = `${request.deliveryId}/${key}/${action.id}`;
      const { name } = action.object.metadata;
      const before = names.get(place) ?? name;
      if (before !== name) complain(`${action.id} of ${key} is called ${before} and ${name}`);
      names.set(place, name);
    }
}

function isCreation(action: Action): action is Extract<Action, { verb: 'create' }> {
  return action.verb === 'create';
}
