import type { SubresourceAction } from '../../../functions/core/action.ts';
import type { KubeObject, VirtualMachineInstance } from '../../../functions/core/objects.ts';

interface AddVolume {
  name: string;
  disk?: object;
  volumeSource: { persistentVolumeClaim?: object; dataVolume?: object };
}

/** What KubeVirt's API server makes of a VMI that is called upon to take or give up a volume; `undefined`: it refuses. */
export function carriedOut<T extends KubeObject>({ call, body }: SubresourceAction, instance: T): T | undefined {
  const after = structuredClone(instance) as unknown as VirtualMachineInstance;
  const { name, disk, volumeSource } = body as unknown as AddVolume;
  const { devices } = after.spec.domain;
  const isThere = after.spec.volumes?.some((v) => v.name === name) === true;
  if (isThere === (call === 'addvolume')) return undefined;
  const others = <N extends { name: string }>(list: N[] | undefined): N[] =>
    (list ?? []).filter((x) => x.name !== name);
  after.spec.volumes = others(after.spec.volumes);
  devices.disks = others(devices.disks);
  if (call === 'addvolume') {
    const [source, value] = Object.entries(volumeSource)[0] ?? [];
    after.spec.volumes.push({ name, [source ?? '']: { ...value, hotpluggable: true } });
    devices.disks.push({ ...disk, name });
  }
  return after as unknown as T;
}
