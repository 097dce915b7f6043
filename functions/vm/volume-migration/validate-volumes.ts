import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { VmReads } from '../pass.ts';
import { claimNameOf } from '../template-volumes.ts';

type Fault = 'filesystem' | 'shareable' | 'LUN' | 'no CSI storage';
type Found = Pick<VmReads, 'claims' | 'dataVolumes'>;

export type Validity =
  | { readonly type: 'valid' }
  /** They can't be migrated at all. */
  | { readonly type: 'invalid'; readonly message: string }
  /** Where they are to go is not there, or not yet. */
  | { readonly type: 'not-found'; readonly message: string };

type One =
  | { readonly type: 'valid' }
  | { readonly type: 'not-found' }
  | { readonly type: 'fault'; readonly fault: Fault };

/** Whether the updated volumes can be migrated (vm.md 7.5, step 4). The first that is not found decides alone. */
export function validateVolumes(volumes: Iterable<V1Volume>, instance: VirtualMachineInstance, found: Found): Validity {
  const faults: string[] = [];
  for (const volume of volumes) {
    const one = validateVolume(volume, instance, found);
    if (one.type === 'not-found') {
      return { type: 'not-found', message: `destination of volume ${volume.name} not found: ${claimNameOf(volume)}` };
    }
    if (one.type === 'fault') faults.push(`${volume.name} (${one.fault})`);
  }
  if (faults.length === 0) return { type: 'valid' };
  return { type: 'invalid', message: `volumes can not be migrated: ${faults.join(', ')}` };
}

const valid: One = { type: 'valid' };
const notFound: One = { type: 'not-found' };
const fault = (what: Fault): One => ({ type: 'fault', fault: what });

function validateVolume(volume: V1Volume, { spec }: VirtualMachineInstance, { claims, dataVolumes }: Found): One {
  const { disks = [], filesystems = [] } = spec.domain.devices ?? {};
  if (filesystems.some((f) => f.name === volume.name)) return fault('filesystem');
  const disk = disks.find((d) => d.name === volume.name);
  if (disk === undefined) return valid;
  if (disk.shareable === true) return fault('shareable');
  if (disk.lun) return fault('LUN');

  const claimOf = (name: string) => claims.find((c) => c.metadata.name === name);
  if (volume.dataVolume === undefined) {
    return volume.persistentVolumeClaim && !claimOf(volume.persistentVolumeClaim.claimName) ? notFound : valid;
  }
  const { name } = volume.dataVolume;
  const dataVolume = dataVolumes.find((d) => d.metadata.name === name);
  if (dataVolume === undefined) return notFound;
  if (dataVolume.status?.phase === 'Succeeded') return valid;
  const claim = claimOf(name);
  if (claim === undefined) return notFound;
  return claim.spec.dataSourceRef ? valid : fault('no CSI storage');
}
