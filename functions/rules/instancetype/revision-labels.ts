import type { ControllerRevision } from '../../core/objects.ts';
import { OBJECT_VERSION } from './new-revision-name.ts';

const label = (what: string) => `instancetype.kubevirt.io/object-${what}`;

/** Labels of a revision that holds an instance type or a preference (vm.md 10.2). */
export const revisionLabel = {
  generation: label('generation'),
  kind: label('kind'),
  name: label('name'),
  uid: label('uid'),
  version: label('version'),
} as const;

/** Whether the revision holds an object of that name. */
export function holdsObjectNamed(revision: ControllerRevision, name: string | undefined): boolean {
  return revision.metadata.labels?.[revisionLabel.name] === name;
}

/** Whether it was stored by this project or by a KubeVirt of the same version of objects; others are upgraded (vm.md 10.2). */
export function isOfCurrentVersion(revision: ControllerRevision): boolean {
  return revision.metadata.labels?.[revisionLabel.version] === OBJECT_VERSION;
}
