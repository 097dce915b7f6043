import type { InstanceSpec, PreferenceSpec } from '../profile.ts';
import { fill, isPresent } from '../set-members.ts';

/** vm.md 10.6: ACPI is overwritten, all else is filled in; Hyper-V member by member. */
export function applyFeatures({ domain }: InstanceSpec, { features }: PreferenceSpec): void {
  if (!isPresent(features)) return;
  const draft = (domain.features ??= {});
  if (isPresent(features.preferredAcpi)) draft.acpi = structuredClone(features.preferredAcpi);
  fill(draft, 'apic', features.preferredApic);
  if (isPresent(features.preferredHyperv)) draft.hyperv = missingAdded(draft.hyperv, features.preferredHyperv);
  fill(draft, 'kvm', features.preferredKvm);
  fill(draft, 'pvspinlock', features.preferredPvspinlock);
  fill(draft, 'smm', features.preferredSmm);
}

function missingAdded<T extends object>(given: T | undefined, wanted: T): T {
  const present = Object.entries(given ?? {}).filter(([, value]) => isPresent(value));
  return { ...structuredClone(wanted), ...Object.fromEntries(present) };
}
