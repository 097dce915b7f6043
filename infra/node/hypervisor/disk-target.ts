import type { GuestDisk } from './guest-definition.ts';

const PREFIX = { virtio: 'vd', sata: 'sd', scsi: 'sd', usb: 'sd' } as const;

/** The first name for a disk on that bus that none of the guest's other disks has: `vda`, `sdb`, ... */
export function freeTarget(bus: GuestDisk['bus'], used: ReadonlySet<string>): string {
  for (let n = 0; ; n++) {
    const target = `${PREFIX[bus]}${letters(n)}`;
    if (!used.has(target)) return target;
  }
}

/** a to z, then aa, ab, ... as Linux names its disks. */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
