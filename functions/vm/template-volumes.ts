import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { VirtualMachine } from '../core/objects.ts';

export function templateVolumes(vm: VirtualMachine): readonly V1Volume[] {
  return vm.spec.template?.spec?.volumes ?? [];
}

/** Claim name of a volume (vm.md 7.5). */
export function claimNameOf(volume: V1Volume): string | undefined {
  return volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName ?? volume.memoryDump?.claimName;
}
