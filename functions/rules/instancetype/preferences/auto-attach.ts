import type { InstanceSpec, PreferenceSpec } from '../profile.ts';
import { fill } from '../set-members.ts';

type Devices = InstanceSpec['domain']['devices'];

/** What is attached by itself (vm.md 10.6), part of the devices; at a start also applied before all else (5.10, step 9). */
export function applyAutoAttach(draft: Devices, devices: NonNullable<PreferenceSpec['devices']>): void {
  fill(draft, 'autoattachGraphicsDevice', devices.preferredAutoattachGraphicsDevice);
  fill(draft, 'autoattachMemBalloon', devices.preferredAutoattachMemBalloon);
  fill(draft, 'autoattachPodInterface', devices.preferredAutoattachPodInterface);
  fill(draft, 'autoattachSerialConsole', devices.preferredAutoattachSerialConsole);
  fill(draft, 'autoattachInputDevice', devices.preferredAutoattachInputDevice);
}

/** The spec with the auto-attach preferences alone. */
export function withAutoAttach(spec: InstanceSpec, preference: PreferenceSpec | undefined): InstanceSpec {
  if (!preference?.devices) return spec;
  const devices = { ...spec.domain?.devices };
  applyAutoAttach(devices, preference.devices);
  return { ...spec, domain: { ...spec.domain, devices } };
}
