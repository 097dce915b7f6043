/** What of a pod may be changed once it is there. */
import { copied, equal, isObj, type Obj, objsAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';
import type { StatusCause } from '../../ports.ts';
import { cause } from '../../refusals.ts';

const RULE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function validatePodUpdate(next: ApiObject, old: ApiObject): StatusCause[] {
  const found: StatusCause[] = [];
  const tolerations = objsAt(next.spec, 'tolerations');
  const added = objsAt(old.spec, 'tolerations').every((t) => tolerations.some((n) => equal(n, t)));
  if (!added)
    found.push(
      cause.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    );
  if (!equal(fixedPart(next), fixedPart(old))) found.push(cause.forbidden('spec', RULE));
  return found;
}

function fixedPart({ spec }: ApiObject): Obj {
  const part = copied(spec ?? {}) as Obj;
  delete part.activeDeadlineSeconds;
  delete part.tolerations;
  for (const list of ['containers', 'initContainers']) for (const c of objsAt(part, list)) delete c.image;
  // A scheduling gate may go, none may come.
  delete part.schedulingGates;
  if (isObj(part.nodeSelector) && Object.keys(part.nodeSelector).length === 0) delete part.nodeSelector;
  return part;
}
