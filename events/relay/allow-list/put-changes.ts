import type { KubeObject } from '../../../functions/core/objects.ts';
import { writtenForm } from '../../../functions/core/written-form/written-form.ts';
import { changedPaths, type Path, valueAt } from './changed-paths.ts';

/**
 * What a PUT changes of an object, apart from how it is spelt.
 *
 * A PUT brings the whole object into its written form (runtime.md 11.1), which re-spells what the user wrote: that is no change.
 * So both are compared in that form. What the form would change in the object to be written (members that the relay's table of
 * types does not have, as it is older than the function's, or a function that does not keep to the form) must be as it was.
 */
export function putChanges(before: KubeObject, object: KubeObject): Path[] {
  const written = writtenForm(object);
  return [
    ...changedPaths(writtenForm(before), written),
    ...changedPaths(written, object).filter(
      (path) => changedPaths(valueAt(before, path), valueAt(object, path)).length > 0,
    ),
  ];
}
