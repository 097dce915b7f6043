import type { World } from '../world/world.ts';

/** Users write too, so that a race is lost now and then. */
const FEW = 5;

/** What a relay has written itself is in its view, however late the watch is: hardly a write is refused for its version. */
export function watchConflicts(world: World): void {
  let conflicts = 0;
  world.onRequest.push(({ who, request, response }) => {
    if (!who.startsWith('relay') || response.status !== 409 || request.method === 'POST') return;
    conflicts++;
    if (conflicts === FEW + 1)
      world.complaints.push(`${who} writes what is not the newest, the last time ${request.path}`);
  });
}
