import type { JsonPatchOperation, PatchAction } from '../core/action.ts';
import { conditionsEqual } from '../core/conditions.ts';
import { addOp, addOrReplace, testAndReplace, testOp } from '../core/json-patch.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import type { StatusDraft } from './status-draft.ts';
import type { InterfaceStatus } from './vmi-types.ts';
import { WRITE_ID } from './vmi-update.ts';

/** While virt-handler owns the VMI: only what this controller keeps, each field under a test of its own (vmi.md 10.1). */
export function vmiPatch(draft: StatusDraft): PatchAction | undefined {
  const operations = operationsOf(draft);
  if (operations.length === 0) return undefined;
  const { namespace, name } = draft.vmi.metadata;
  return {
    id: WRITE_ID,
    verb: 'patch',
    target: { kind: draft.vmi.kind, namespace, name },
    patch: { type: 'json', operations },
  };
}

function operationsOf({ vmi, pass }: StatusDraft): readonly JsonPatchOperation[] {
  const { status: old = {}, metadata: oldMetadata } = pass.vmi;
  const { status, metadata } = vmi;
  const operations: JsonPatchOperation[] = [];
  if (!semanticallyEqual(old.volumeStatus, status.volumeStatus, '[]VolumeStatus')) {
    operations.push(...addOrReplace('/status/volumeStatus', old.volumeStatus, status.volumeStatus));
  }
  if (!conditionsEqual(old.conditions, status.conditions)) {
    operations.push(...testAndReplace('/status/conditions', old.conditions, status.conditions ?? []));
  }
  if (!semanticallyEqual(old.activePods, status.activePods, '{}s')) {
    operations.push(...testAndReplace('/status/activePods', old.activePods, status.activePods));
  }
  if (old.phase !== status.phase) operations.push(...testAndReplace('/status/phase', old.phase, status.phase));
  if ((old.launcherContainerImageVersion ?? '') !== (status.launcherContainerImageVersion ?? '')) {
    operations.push(
      ...addOrReplace(
        '/status/launcherContainerImageVersion',
        old.launcherContainerImageVersion,
        status.launcherContainerImageVersion ?? '',
      ),
    );
  }
  if (!semanticallyEqual(oldMetadata.labels, metadata.labels, '{}s')) {
    operations.push(...addOrReplace('/metadata/labels', oldMetadata.labels, metadata.labels ?? {}));
  }
  if (!semanticallyEqual(oldMetadata.finalizers, metadata.finalizers, '[]s')) {
    operations.push(...addOrReplace('/metadata/finalizers', oldMetadata.finalizers, metadata.finalizers ?? []));
  }
  if (!sameInterfaces(old.interfaces, status.interfaces)) {
    operations.push(testOp('/status/interfaces', old.interfaces), addOp('/status/interfaces', status.interfaces));
  }
  return operations;
}

function sameInterfaces(a: readonly InterfaceStatus[] = [], b: readonly InterfaceStatus[] = []): boolean {
  return semanticallyEqual(byName(a), byName(b), '[]VirtualMachineInstanceNetworkInterface');
}

function byName(list: readonly InterfaceStatus[]): readonly InterfaceStatus[] {
  return list.toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : (a.name ?? '') > (b.name ?? '') ? 1 : 0));
}
