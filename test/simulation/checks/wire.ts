import type { Action } from '../../../functions/core/action.ts';
import type { Exchange } from '../world/function-link.ts';
import type { World } from '../world/world.ts';

/** What must hold of each exchange and each write, whatever comes of it. */
export function watchWire(world: World): void {
  const complain = (what: string) => void world.complaints.push(what);
  const names = new Map<string, string>();
  world.onExchange.push((exchange) => {
    fenced(exchange, complain);
    named(exchange, names, complain);
  });
  world.onDelete.push(({ who, path, body }) => {
    const { preconditions } = (body ?? {}) as { preconditions?: { uid?: string } };
    if (who.startsWith('relay') && preconditions?.uid === undefined) complain(`${who} deletes ${path} without its uid`);
  });
}

/** Fencing: no answer under a token that is not the lease's, no delivery of what was listed under another. */
function fenced({ controller, leaseToken, request }: Exchange, complain: (what: string) => void): void {
  const { token, listedToken } = request;
  if (token !== leaseToken) complain(`${controller} answers under token ${token}, the lease's is ${leaseToken}`);
  if (listedToken !== token) complain(`${controller} gets under token ${token} what was listed under ${listedToken}`);
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
