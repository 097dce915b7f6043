import type { ControllerRevision } from '../../core/objects.ts';

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
