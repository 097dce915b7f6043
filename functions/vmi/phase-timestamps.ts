import { timestamp } from '../core/context.ts';
import type { StatusDraft } from './status-draft.ts';
import { phaseOf } from './vmi-phase.ts';

/** Notes when a phase that this pass brought was first entered (vmi.md 3.8). */
export function stampPhase({ vmi, pass }: StatusDraft): void {
  const { phase, phaseTransitionTimestamps = [] } = vmi.status;
  if (phase === undefined || phase === phaseOf(pass.vmi)) return;
  if (phaseTransitionTimestamps.some((t) => t.phase === phase)) return;
  vmi.status.phaseTransitionTimestamps = [
    ...phaseTransitionTimestamps,
    { phase, phaseTransitionTimestamp: timestamp(pass.context.nowMs) },
  ];
}
