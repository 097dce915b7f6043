import { withMissingAnnotations } from '../annotations.ts';
import type { InstanceSpec, PreferenceSpec, Target } from '../profile.ts';
import { fill, fillZero, isPresent } from '../set-members.ts';
import { applyClock } from './clock.ts';
import { applyCpuFeatures } from './cpu-features.ts';
import { applyDevices } from './devices.ts';
import { applyFeatures } from './features.ts';
import { applyFirmware } from './firmware.ts';

type Part = (draft: InstanceSpec, preference: PreferenceSpec) => void;

/** The order of vm.md 10.6. */
const parts: readonly Part[] = [
  applyCpuFeatures,
  applyDevices,
  applyFeatures,
  applyFirmware,
  applyMachine,
  applyClock,
  applyRest,
];

/** A preference applied to a VMI or a template, only where that leaves a gap (vm.md 10.6). The target stays as it is. */
export function applyPreference<T extends Target>(target: T, preference: PreferenceSpec | undefined): T {
  if (preference === undefined) return target;
  const spec = structuredClone(target.spec);
  spec.domain = { ...spec.domain, devices: { ...spec.domain?.devices } };
  for (const part of parts) part(spec, preference);
  return { ...withMissingAnnotations(target, preference.annotations), spec };
}

function applyMachine({ domain }: InstanceSpec, { machine }: PreferenceSpec): void {
  if (machine?.preferredMachineType) fillZero((domain.machine ??= {}), 'type', machine.preferredMachineType);
}

function applyRest(spec: InstanceSpec, preference: PreferenceSpec): void {
  const { preferredSubdomain, preferredTerminationGracePeriodSeconds, preferredArchitecture } = preference;
  if (isPresent(preferredSubdomain)) fillZero(spec, 'subdomain', preferredSubdomain);
  if (isPresent(preferredTerminationGracePeriodSeconds)) {
    fill(spec, 'terminationGracePeriodSeconds', preferredTerminationGracePeriodSeconds);
  }
  if (isPresent(preferredArchitecture)) fillZero(spec, 'architecture', preferredArchitecture);
  fill(spec.domain, 'launchSecurity', preference.preferredLaunchSecurity);
}
