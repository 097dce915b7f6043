import type { Context } from '../core/context.ts';
import type { KubeObject } from '../core/objects.ts';
import type { Outcome } from '../core/outcome.ts';
import type { CheckedSnapshot } from './snapshot.ts';

/**
 * One pass, and where it goes on (`Outcome.goesOn`) the next one as well, on the primary as the first one writes it. The relay
 * applies the actions of both in order, later ones on the version that the earlier write has made, and stops at the first that
 * fails: so nothing of the second is done unless the first is.
 *
 * The second may not rest on what only the API server knows of the write (version, generation): a controller that does must not
 * say that it goes on.
 */
export function goOn(
  snapshot: CheckedSnapshot,
  context: Context,
  decide: (snapshot: CheckedSnapshot, context: Context) => Outcome,
): Outcome {
  const first = decide(snapshot, context);
  const written = first.type === 'done' && first.goesOn === true ? onlyWrite(first) : undefined;
  if (written === undefined) return first;
  const second = decide({ ...snapshot, primary: written }, { ...context, results: [] });
  // What it needs is for a pass of its own to ask.
  return second.type === 'needs' ? first : { ...second, actions: [...first.actions, ...second.actions] };
}

/** The primary as an outcome writes it, if that is all that it does. */
function onlyWrite({ actions }: Outcome): KubeObject | undefined {
  const [action] = actions;
  return actions.length === 1 && action?.verb === 'update' ? action.object : undefined;
}
