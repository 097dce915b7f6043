import type { StatusDraft } from './status-draft.ts';

/** Lists the owned pods, finished ones too, with their nodes (vmi.md 8.1, step 2). */
export function updateActivePods({ vmi, pass }: StatusDraft): void {
  if (pass.pods.length === 0 && vmi.status.activePods === undefined) return;
  vmi.status.activePods = Object.fromEntries(pass.pods.map((p) => [p.metadata.uid ?? '', p.spec.nodeName ?? '']));
}
