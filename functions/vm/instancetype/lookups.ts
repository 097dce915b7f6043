import type { Kind } from '../../core/kind.ts';
import { VirtualMachine as VirtualMachineKind } from '../../core/kinds.ts';
import { keyFor } from '../../core/object-index.ts';
import type { ControllerRevision, KubeObject, VirtualMachine } from '../../core/objects.ts';
import type { Found } from '../../core/reads.ts';
import { newRevisionName } from '../../rules/instancetype/new-revision-name.ts';
import { isOfCurrentVersion } from '../../rules/instancetype/revision-labels.ts';
import type { Matched } from '../../rules/instancetype/side.ts';
import { namedRevisionKeys, soughtObjectKeys } from '../../rules/instancetype/sought.ts';
import { storedSpec } from '../stored-spec.ts';

/** Names of the reads that this file's lookups build on. */
const read = {
  startRevisions: 'revisions',
  revisions: 'instancetypeRevisions',
  objects: ['instancetypes', 'clusterInstancetypes', 'preferences', 'clusterPreferences'],
} as const;

/** Revisions that the VM and its last start name (vm.md 10.3; for 11.2 also those of the last start). */
export function revisionKeys(vm: VirtualMachine, found: Found): readonly string[] {
  return matchedBy(vm, found).flatMap(namedRevisionKeys);
}

/** Objects of one kind that no such revision stands for. */
export function objectKeys(kind: Kind): (vm: VirtualMachine, found: Found) => readonly string[] {
  return (vm, found) => {
    const revisions = found.many<ControllerRevision>(read.revisions);
    return matchedBy(vm, found).flatMap((matched) => soughtObjectKeys(kind, matched, revisions));
  };
}

/** What bears the names that new revisions of this VM would get (vm.md 10.2). */
export function newRevisionKeys(vm: VirtualMachine, found: Found): readonly string[] {
  const objects = read.objects.flatMap((name) => found.many<KubeObject>(name));
  const outdated = found.many<ControllerRevision>(read.revisions).filter((r) => !isOfCurrentVersion(r));
  const held = outdated.map((r) => r.data as KubeObject | null | undefined).filter((o) => o?.metadata !== undefined);
  return [...objects, ...(held as readonly KubeObject[])].map((object) =>
    keyFor(vm.metadata.namespace, newRevisionName(vm, object)),
  );
}

/** The VM, and what it was when it was started last. */
function matchedBy(vm: VirtualMachine, found: Found): readonly Matched[] {
  const started = found.many<ControllerRevision>(read.startRevisions).flatMap((revision) => {
    const spec = storedSpec(revision);
    return spec === undefined ? [] : [{ kind: VirtualMachineKind.kind, metadata: vm.metadata, spec }];
  });
  return [vm, ...started];
}
