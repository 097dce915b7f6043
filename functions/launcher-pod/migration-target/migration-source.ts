import type { Node, Pod, VirtualMachineInstance } from '../../core/objects.ts';
import type { Strings } from '../pod-types.ts';
import { RenderError } from '../render-error.ts';

/**
 * Where a VM migrates from.
 *
 * - `local`: a pod of the same cluster, on a node that is there or not.
 * - `decentralized`: another cluster, of which the VMI's `status.migrationState.sourceState` tells all there is to know.
 */
export type MigrationSource =
  | { readonly type: 'local'; readonly pod: Pod; readonly node: Node | undefined }
  | { readonly type: 'decentralized' };

export function sourceStateOf(vmi: VirtualMachineInstance) {
  return vmi.status?.migrationState?.sourceState;
}

/**
 * Labels of the node that the VM runs on.
 *
 * @throws RenderError `source-node-not-found`
 */
export function sourceNodeLabels(vmi: VirtualMachineInstance, source: MigrationSource): Strings {
  if (source.type === 'decentralized') return sourceStateOf(vmi)?.nodeSelectors ?? {};
  if (source.node === undefined) throw new RenderError({ type: 'source-node-not-found' });
  return source.node.metadata.labels ?? {};
}
