import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import type { GuestDisk } from '../hypervisor/guest-definition.ts';

/** A guest, or a part of one, that this agent cannot run; the message says what it lacks. */
export class UnsupportedGuest extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsupportedGuest';
  }
}

export type Volume = NonNullable<VirtualMachineInstance['spec']['volumes']>[number];
export type Disk = NonNullable<VirtualMachineInstance['spec']['domain']['devices']['disks']>[number];

export interface DiskSource {
  readonly path: string;
  readonly format: GuestDisk['format'];
  readonly readOnly: boolean;
  /** Where the VMI names none. */
  readonly defaultBus: GuestDisk['bus'];
}

/** A disk as the VMI describes it; `disk` is absent for a volume of which it says nothing. */
export function guestDisk(disk: Disk | undefined, source: DiskSource): Omit<GuestDisk, 'target'> {
  if (disk?.lun !== undefined) throw new UnsupportedGuest(`disk ${disk.name}: lun is not offered by this node`);
  const device = disk?.cdrom === undefined ? 'disk' : 'cdrom';
  return {
    path: source.path,
    format: source.format,
    device,
    bus: busOf(disk?.disk?.bus ?? disk?.cdrom?.bus) ?? (device === 'cdrom' ? 'sata' : source.defaultBus),
    readOnly: source.readOnly || device === 'cdrom' || disk?.disk?.readonly === true,
    serial: disk?.serial,
  };
}

function busOf(bus: string | undefined): GuestDisk['bus'] | undefined {
  switch (bus) {
    case undefined:
    case 'virtio':
    case 'sata':
    case 'scsi':
    case 'usb':
      return bus;
    default:
      throw new UnsupportedGuest(`disk bus ${bus} is not offered by this node`);
  }
}

/** The claim that a volume's disk lies on, if it is of that kind. */
export function claimNameOf({ persistentVolumeClaim, dataVolume }: Volume): string | undefined {
  return persistentVolumeClaim?.claimName ?? dataVolume?.name;
}
