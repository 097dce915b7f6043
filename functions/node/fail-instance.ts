import type { AbsentByLabels, AbsentByName, Action, PatchAction, Precondition } from '../core/action.ts';
import { addOp, pointer, replaceOp, testOp } from '../core/json-patch.ts';
import { Node as NodeKind, Pod as PodKind } from '../core/kinds.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { podsOf } from './launcher-pods.ts';
import { label, NODE_UNRESPONSIVE, role } from './names.ts';
import { unresponsiveEvent } from './unresponsive-event.ts';

/** Id of the patch that fails a VMI. */
export function failureId(vmi: VirtualMachineInstance): string {
  return `fail ${vmi.metadata.uid ?? ''}`;
}

/**
 * Marks a VMI failed whose node no longer runs it (node.md A4, step 9). The tests hold it to the very VMI that was seen: not
 * one of the same name that came after it (case 40), not one that has migrated away or ended meanwhile.
 */
export function failInstance(
  vmi: VirtualMachineInstance,
  pods: readonly Pod[],
  node: { readonly name: string; readonly seen: boolean },
): readonly Action[] {
  // A node that is not there is looked for: it may have come just now, with the VMI.
  const onNode: readonly Precondition[] = node.seen ? [] : [noNode(node.name)];
  // A dead pod is there to be seen; a missing one is looked for.
  const onPod: readonly Precondition[] = podsOf(vmi, pods).length === 0 ? [noPodOf(vmi, node.name)] : [];
  const patch: PatchAction = {
    id: failureId(vmi),
    verb: 'patch',
    target: { kind: vmi.kind, namespace: vmi.metadata.namespace, name: vmi.metadata.name },
    patch: {
      type: 'json',
      operations: [
        testOp(pointer('metadata', 'uid'), vmi.metadata.uid),
        testOp(pointer('metadata', 'labels', label.nodeName), node.name),
        testOp(pointer('status', 'phase'), vmi.status?.phase),
        replaceOp(pointer('status', 'phase'), 'Failed'),
        addOp(pointer('status', 'reason'), NODE_UNRESPONSIVE),
      ],
    },
    preconditions: [...onNode, ...onPod],
  };
  const message =
    'The agent of the node does not respond and no pod of the VMI is alive there; the VMI is marked failed.';
  return [{ ...unresponsiveEvent(vmi, 'Normal', message), preconditions: onNode }, patch];
}

function noNode(name: string): AbsentByName {
  return { type: 'absent-name', kind: NodeKind.kind, name };
}

/** By field: a migration target elsewhere bears the same labels. */
function noPodOf(vmi: VirtualMachineInstance, nodeName: string): AbsentByLabels {
  return {
    type: 'absent-labels',
    kind: PodKind.kind,
    namespace: vmi.metadata.namespace,
    labels: { [label.role]: role.launcher, [label.createdBy]: vmi.metadata.uid ?? '' },
    fields: { 'spec.nodeName': nodeName },
  };
}
