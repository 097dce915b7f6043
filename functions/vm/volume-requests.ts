import type { V1VirtualMachineVolumeRequest } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { VirtualMachine } from '../core/objects.ts';
import { templateVolumes } from './template-volumes.ts';

/** The volume requests that the template does not fulfil yet (vm.md 12.2). */
export function openVolumeRequests(vm: VirtualMachine): V1VirtualMachineVolumeRequest[] | undefined {
  const requests = vm.status?.volumeRequests;
  const open = requests?.filter((request) => !isFulfilled(request, vm));
  return open?.length === requests?.length ? requests : open?.length === 0 ? undefined : open;
}

function isFulfilled(request: V1VirtualMachineVolumeRequest, vm: VirtualMachine): boolean {
  const add = request.addVolumeOptions;
  const name = add?.name ?? request.removeVolumeOptions?.name;
  const hasVolume = templateVolumes(vm).some((v) => v.name === name);
  const hasDisk = vm.spec.template?.spec?.domain?.devices?.disks?.some((d) => d.name === name) === true;
  return add === undefined ? !hasVolume && !hasDisk : hasVolume && hasDisk;
}
