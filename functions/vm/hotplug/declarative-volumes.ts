import type { V1Disk, V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { JsonPatchOperation } from '../../core/action.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import { addOp, replaceOp, testOp } from '../../core/json-patch.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { editedTemplate, type Spec } from '../edit-copy.ts';
import { patchInstance, withSpec } from '../instance-patch.ts';
import type { Pass } from '../pass.ts';
import { next, type Step, syncError } from '../step.ts';
import { isHotplugDisk } from './hotplug-volume.ts';

/**
 * Hotplug volumes of the template that the running VMI lacks, and those that it has in vain (vm.md 6.4). One that has changed
 * goes first, and comes back when its volume status is gone.
 */
export function plugDeclaredVolumes(pass: Pass): Step {
  const { instance } = pass;
  if (instance === undefined || !isServed(pass) || instance.status?.phase !== 'Running') return next;
  const template = editedTemplate(pass);
  const volumes = nextVolumes(instance, template);
  const disks = nextDisks(instance, template, volumes);
  const { devices } = instance.spec.domain;
  const [oldVolumes, oldDisks] = [instance.spec.volumes, devices?.disks];
  if (semanticallyEqual(oldVolumes, volumes, '[]Volume') && semanticallyEqual(oldDisks, disks, '[]Disk')) return next;

  const operations = [
    testOp('/spec/volumes', oldVolumes),
    testOp('/spec/domain/devices/disks', oldDisks),
    set('/spec/volumes', oldVolumes, volumes),
    set('/spec/domain/devices/disks', oldDisks, disks),
  ];
  const domain = { ...instance.spec.domain, devices: { ...devices, disks } };
  const failure = patchInstance(pass, 'vmi-hotplug-volumes', operations, withSpec(instance, { volumes, domain }));
  return failure === undefined ? next : syncError('HotPlugVolumeError', `Plugging in volumes: ${failure.message}`);
}

/** Not where requests alone plug volumes in, nor where claims change by migrations. */
function isServed({ context: { configuration }, editCopy }: Pass): boolean {
  return (
    gateEnabled(configuration, 'DeclarativeHotplugVolumes') &&
    !gateEnabled(configuration, 'HotplugVolumes') &&
    editCopy.spec.updateVolumesStrategy !== 'Migration'
  );
}

function nextVolumes({ spec, status }: VirtualMachineInstance, template: Spec): V1Volume[] {
  const wanted = new Map((template.volumes ?? []).map((v) => [v.name, v]));
  const kept = (spec.volumes ?? []).filter((volume) => {
    if (!isHotplugDisk(volume)) return true;
    const same = wanted.get(volume.name);
    return same !== undefined && (!isHotplugDisk(same) || semanticallyEqual(volume, same, 'Volume'));
  });
  const taken = new Set([...(spec.volumes ?? []), ...(status?.volumeStatus ?? [])].map((v) => v.name));
  return [...kept, ...(template.volumes ?? []).filter((v) => isHotplugDisk(v) && !taken.has(v.name))];
}

function nextDisks({ spec }: VirtualMachineInstance, template: Spec, volumes: readonly V1Volume[]): V1Disk[] {
  const now = new Map(volumes.map((v) => [v.name, v]));
  const wanted = new Map((template.domain?.devices?.disks ?? []).map((d) => [d.name, d]));
  const withVolume = new Set((template.volumes ?? []).map((v) => v.name));
  const running = spec.domain.devices?.disks ?? [];
  const kept = running.filter((disk) => {
    const same = wanted.get(disk.name);
    if (now.has(disk.name)) return true;
    // An ejected CD-ROM stays.
    return same !== undefined && (!withVolume.has(disk.name) || (isCdRom(disk) && isCdRom(same)));
  });
  const known = new Set(running.map((d) => d.name));
  const added = [...wanted.values()].filter((disk) => {
    const volume = now.get(disk.name);
    return volume !== undefined && isHotplugDisk(volume) && !known.has(disk.name);
  });
  return [...kept, ...added];
}

function isCdRom({ cdrom }: V1Disk): boolean {
  return cdrom !== undefined;
}

function set(path: string, old: readonly unknown[] | undefined, value: readonly unknown[]): JsonPatchOperation {
  return (old?.length ?? 0) === 0 ? addOp(path, value) : replaceOp(path, value);
}
