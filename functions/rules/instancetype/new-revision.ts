import { ControllerRevision as ControllerRevisionKind } from '../../core/kinds.ts';
import type { ControllerRevision, KubeObject } from '../../core/objects.ts';
import { ownerReferenceTo } from '../../core/owner.ts';
import { writtenForm } from '../../core/written-form/written-form.ts';
import { newRevisionName, OBJECT_VERSION } from './new-revision-name.ts';
import { revisionLabel } from './revision-labels.ts';

/** The revision of a VM that keeps an instance type or a preference as it is now (vm.md 10.2). */
export function newRevision(vm: KubeObject, object: KubeObject): ControllerRevision {
  const { kind, metadata } = object;
  const { labels: _l, annotations: _a, finalizers: _f, ownerReferences: _o, ...kept } = metadata;
  return {
    apiVersion: ControllerRevisionKind.apiVersion,
    kind: ControllerRevisionKind.kind,
    metadata: {
      name: newRevisionName(vm, object),
      namespace: vm.metadata.namespace,
      labels: {
        [revisionLabel.generation]: String(metadata.generation ?? 0),
        [revisionLabel.kind]: kind,
        [revisionLabel.name]: metadata.name,
        [revisionLabel.uid]: metadata.uid ?? '',
        [revisionLabel.version]: OBJECT_VERSION,
      },
      ownerReferences: [ownerReferenceTo(vm)],
    },
    data: writtenForm({ ...object, metadata: kept }),
    revision: 0,
  };
}
