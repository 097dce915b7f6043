import type {
  V1AddVolumeOptions,
  V1VirtualMachineVolumeRequest,
  V1Volume,
} from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { Spec } from '../edit-copy.ts';

type Request = V1VirtualMachineVolumeRequest;

/** The template as the request wants it (vm.md 6.3). */
export function withRequest(spec: Spec, { addVolumeOptions, removeVolumeOptions }: Request): Spec {
  if (addVolumeOptions) return withVolume(spec, addVolumeOptions);
  return removeVolumeOptions ? withoutVolume(spec, removeVolumeOptions.name) : spec;
}

function withVolume(spec: Spec, { name, disk, volumeSource }: V1AddVolumeOptions): Spec {
  if (spec.volumes?.some((v) => v.name === name)) return spec;
  const volume: V1Volume = { name };
  const { persistentVolumeClaim, dataVolume } = volumeSource ?? {};
  if (persistentVolumeClaim) volume.persistentVolumeClaim = { ...persistentVolumeClaim, hotpluggable: true };
  else if (dataVolume) volume.dataVolume = { ...dataVolume, hotpluggable: true };
  const volumes = [...(spec.volumes ?? []), volume];
  // Its type says that there is a disk; the API takes a request without one.
  const { devices } = spec.domain;
  const disks = (disk as typeof disk | undefined) ? [...(devices?.disks ?? []), { ...disk, name }] : devices?.disks;
  return { ...spec, domain: { ...spec.domain, devices: { ...devices, disks } }, volumes };
}

function withoutVolume(spec: Spec, name: string): Spec {
  const others = <T extends { name: string }>(list: T[] | undefined) => list?.filter((x) => x.name !== name);
  const devices = { ...spec.domain?.devices, disks: others(spec.domain?.devices?.disks) };
  return { ...spec, domain: { ...spec.domain, devices }, volumes: others(spec.volumes) };
}
