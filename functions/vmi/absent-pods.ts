/**
 * What must hold at the API where a decision rests on pods that are not there (design: "Absence is checked live"). The label
 * is on every launcher, temporary and target pod from its creation on.
 */
import type { AbsentByLabels } from '../core/action.ts';
import { Pod as PodKind } from '../core/kinds.ts';
import { label } from './names.ts';
import type { Pass } from './pass.ts';

/** The VMI owns no pod at all. */
export function noOwnedPod({ vmi }: Pass): AbsentByLabels {
  return {
    type: 'absent-labels',
    kind: PodKind.kind,
    namespace: vmi.metadata.namespace,
    labels: { [label.createdBy]: vmi.metadata.uid ?? '' },
  };
}

/**
 * The VMI has no current pod (vmi.md 3.2). Without any pod in the snapshot a live one anywhere means that the snapshot is
 * behind. With pods of the VMI on other nodes (a migration target, case 75) only one on the VMI's own node does. That is
 * asked by field: the label `kubevirt.io/nodeName` is no measure of it, since a launcher pod gets it a pass after the
 * hand-over and a target pod is made with the source's.
 */
export function noCurrentPod(pass: Pass): AbsentByLabels {
  const nodeName = pass.vmi.status?.nodeName ?? '';
  if (pass.pods.length === 0 || nodeName === '') return noOwnedPod(pass);
  return { ...noOwnedPod(pass), fields: { 'spec.nodeName': nodeName } };
}
