import type { InstanceSpec, PreferenceSpec } from '../profile.ts';
import { fill, fillZero, isNonZero, isPresent } from '../set-members.ts';
import { applyAutoAttach } from './auto-attach.ts';
import { applyToDisk } from './disks.ts';
import { applyToInterface } from './interfaces.ts';

type Devices = InstanceSpec['domain']['devices'];
type Preferred = NonNullable<PreferenceSpec['devices']>;

/** vm.md 10.6: devices; `disableHotplug` alone is overwritten, since its absence and `false` are one. */
export function applyDevices({ domain, networks }: InstanceSpec, { devices }: PreferenceSpec): void {
  if (!isPresent(devices)) return;
  const draft = (domain.devices ??= {});
  fill(draft, 'useVirtioTransitional', devices.preferredUseVirtioTransitional);
  fill(draft, 'blockMultiQueue', devices.preferredBlockMultiQueue);
  fill(draft, 'networkInterfaceMultiqueue', devices.preferredNetworkInterfaceMultiQueue);
  fill(draft, 'rng', devices.preferredRng);
  fill(draft, 'tpm', devices.preferredTPM);
  if (isPresent(devices.preferredDisableHotplug)) draft.disableHotplug = devices.preferredDisableHotplug;
  if (isPresent(draft.sound)) fillZero(draft.sound, 'model', devices.preferredSoundModel);
  if (isNonZero(devices.preferredVideoType)) fillZero((draft.video ??= {}), 'type', devices.preferredVideoType);
  applyAutoAttach(draft, devices);
  for (const disk of draft.disks ?? []) applyToDisk(disk, devices);
  for (const each of draft.interfaces ?? []) applyToInterface(each, devices, networks);
  for (const input of draft.inputs ?? []) {
    if (devices.preferredInputBus) fillZero(input, 'bus', devices.preferredInputBus);
    if (devices.preferredInputType) fillZero(input, 'type', devices.preferredInputType);
  }
  applyPanicDevice(draft, devices);
}

/** There is a panic device where one is preferred; those that are there get its model if they have none. */
function applyPanicDevice(draft: Devices, { preferredPanicDeviceModel: model }: Preferred): void {
  if (!isPresent(model)) return;
  if (!isNonZero(draft.panicDevices)) draft.panicDevices = [{ model }];
  for (const device of draft.panicDevices ?? []) fillZero(device, 'model', model);
}
