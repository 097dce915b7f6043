import type { PatchAction } from '../core/action.ts';
import type { Context } from '../core/context.ts';
import type { SnapshotOf } from '../core/controller.ts';
import { Pod as PodKind } from '../core/kinds.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import type { vmi } from './reads.ts';

export type VmiSnapshot = SnapshotOf<typeof vmi>;

/** What one pass knows: the VMI as it was read, what was read beside it, and the context. */
export interface Pass {
  readonly vmi: VirtualMachineInstance;
  /** Pods that the VMI controls, whatever their state. */
  readonly pods: readonly Pod[];
  readonly reads: VmiSnapshot['reads'];
  readonly context: Context;
}

/**
 * Why the sync step could not do its work (vmi.md 4, "Sync error kinds").
 *
 * - `retried`: the key backs off.
 * - `informal`: nothing is tried before something that was read changes.
 */
export interface SyncError {
  readonly type: 'retried' | 'informal';
  /** Reason of the condition `Synchronized`. */
  readonly reason: string;
  readonly message: string;
}

export function podRef(pod: Pod): PatchAction['target'] {
  return { kind: PodKind.kind, namespace: pod.metadata.namespace, name: pod.metadata.name };
}
