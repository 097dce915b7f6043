import type { InstanceSpec, PreferenceSpec } from '../profile.ts';
import { fill, isPresent } from '../set-members.ts';

/** vm.md 10.6: an offset only where there is neither UTC nor a time zone; the timers only as a whole. */
export function applyClock({ domain }: InstanceSpec, { clock }: PreferenceSpec): void {
  if (!isPresent(clock)) return;
  const draft = (domain.clock ??= {});
  if (!isPresent(draft.utc) && !isPresent(draft.timezone))
    Object.assign(draft, structuredClone(clock.preferredClockOffset));
  fill(draft, 'timer', clock.preferredTimer);
}
