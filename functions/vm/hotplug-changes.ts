import type { VirtualMachineInstance } from '../core/objects.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import { isHotplugVolume } from './hotplug/hotplug-volume.ts';

type Spec = VirtualMachineInstance['spec'];

/** Whether the volumes changed only in what hotplug, or volume migration, takes over (vm.md 11.3). */
export function areVolumeChangesValid(last: Spec, current: Spec, mayMigrate: boolean): boolean {
  const before = byName(last.volumes);
  const now = byName(current.volumes);
  for (const [name, volume] of now) {
    if (isHotplugVolume(volume)) continue;
    const old = before.get(name);
    if (old === undefined) return false;
    const migrates = mayMigrate && (volume.persistentVolumeClaim ?? volume.dataVolume) !== undefined;
    if (!migrates && !semanticallyEqual(old, volume, 'Volume')) return false;
  }
  return [...before].every(([name, volume]) => now.has(name) || isHotplugVolume(volume));
}

/** Whether the disks changed only where their volumes are hotplug volumes; an ejected CD-ROM keeps its disk (vm.md 11.3). */
export function areDiskChangesValid(last: Spec, current: Spec): boolean {
  const volumes = { before: byName(last.volumes), now: byName(current.volumes) };
  const disks = { before: byName(last.domain?.devices?.disks), now: byName(current.domain?.devices?.disks) };
  const unmatched = new Map(disks.before);
  for (const [name, disk] of disks.now) {
    const volume = volumes.now.get(name);
    if (volume !== undefined && isHotplugVolume(volume)) continue;
    const old = disks.before.get(name);
    if (old === undefined || !semanticallyEqual(old, disk, 'Disk')) return false;
    unmatched.delete(name);
  }
  return [...unmatched].every(([name, disk]) => {
    const volume = volumes.before.get(name);
    if (volume !== undefined && !isHotplugVolume(volume)) return false;
    return disk.cdrom === undefined || disks.now.has(name);
  });
}

function byName<T extends { name: string }>(list: readonly T[] | undefined): ReadonlyMap<string, T> {
  return new Map((list ?? []).map((x) => [x.name, x]));
}
