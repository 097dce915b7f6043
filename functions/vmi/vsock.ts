/** The VSOCK context id that a guest gets at the hand-over (vmi.md 8.3, Scheduling 4.6; 11.2). */
import { identityOf } from '../core/identity.ts';
import type { ObjectIndex } from '../core/object-index.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import type { StatusDraft } from './status-draft.ts';

/** The one value under which `byVsockId` has VMIs. */
export const HAS_VSOCK_ID = 'true';

/** VMIs that bear an id. */
export const byVsockId: ObjectIndex<VirtualMachineInstance> = {
  name: 'vsockId',
  valuesOf: (vmi) => (vmi.status?.VSOCKCID === undefined ? [] : [HAS_VSOCK_ID]),
};

/** Whether the VMI is to get an id and has none. One that it bears already stays. */
export function lacksVsockId(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.devices?.autoattachVSOCK === true && vmi.status?.VSOCKCID === undefined;
}

/** What the read of other VMIs' ids shows of each. */
export function vsockIdOnly(vmi: VirtualMachineInstance): VirtualMachineInstance {
  const spec = {} as VirtualMachineInstance['spec'];
  return { ...identityOf(vmi), spec, status: { VSOCKCID: vmi.status?.VSOCKCID } };
}

/** Without an id nothing of the hand-over is written. */
export function attachVsock(draft: StatusDraft): void {
  const { vmi, pass } = draft;
  if (!lacksVsockId(vmi)) return;
  const grant = pass.context.grants?.vsock;
  if (grant === undefined) {
    const inUse = pass.reads.vsockHolders.flatMap((other) => other.status?.VSOCKCID ?? []);
    draft.result = { type: 'needs', needs: { vsock: { inUse } } };
  } else if (grant.type === 'exhausted') {
    draft.result = { type: 'error', reason: 'Failed to allocate a VSOCK CID: all that were tried are in use' };
  } else {
    vmi.status.VSOCKCID = grant.id;
  }
}
