import type { V1VirtualMachineMemoryDumpRequest } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { VirtualMachine, VirtualMachineInstance } from '../../core/objects.ts';
import { templateVolumes } from '../template-volumes.ts';

type Request = V1VirtualMachineMemoryDumpRequest;

/** `status.memoryDumpRequest` after this pass (vm.md 12.3); `undefined`: there is none any more. */
export function nextMemoryDump(vm: VirtualMachine, instance: VirtualMachineInstance | undefined): Request | undefined {
  const request = vm.status?.memoryDumpRequest;
  if (request === undefined) return undefined;
  const { claimName, phase, remove } = request;
  const isInTemplate = templateVolumes(vm).some((v) => v.name === claimName);
  const listed = instance?.status?.volumeStatus?.find((v) => v.name === claimName);
  const moved: Request = remove === true ? { ...request, phase: 'Dissociating' } : request;
  switch (phase) {
    case 'Completed':
      // A later pass sees the removal: whoever asks for it sets the phase too.
      return request;
    case 'Associating':
      return isInTemplate ? { ...request, phase: 'InProgress' } : moved;
    case 'InProgress':
      return afterProgress(moved, listed);
    case 'Unmounting':
      return listed === undefined ? { ...request, phase: 'Completed' } : request;
    case 'Dissociating':
      return listed === undefined && !isInTemplate ? undefined : request;
    default:
      return moved;
  }
}

type Listed = NonNullable<NonNullable<VirtualMachineInstance['status']>['volumeStatus']>[number];

function afterProgress(request: Request, listed: Listed | undefined): Request {
  const dump = listed?.memoryDumpVolume;
  if (listed === undefined || dump === undefined) return request;
  const started = dump.startTimestamp ? { ...request, startTimestamp: dump.startTimestamp } : request;
  const { endTimestamp } = dump;
  switch (listed.phase ?? '') {
    case 'MemoryDumpCompleted':
      return { ...started, phase: 'Unmounting', endTimestamp, fileName: dump.targetFileName } as Request;
    case 'MemoryDumpFailed':
      return { ...started, phase: 'Failed', endTimestamp, message: listed.message } as Request;
    default:
      return started;
  }
}
