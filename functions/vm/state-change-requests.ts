import type { StateChangeRequest, VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import { isBeingDeleted, isFinal } from './instance-state.ts';

/** State change requests (vm.md 5.2): only the first one counts, until it is done (12.4). */
function firstRequest(vm: VirtualMachine): StateChangeRequest | undefined {
  return vm.status?.stateChangeRequests?.[0];
}

export function isStartRequested(vm: VirtualMachine): boolean {
  return firstRequest(vm)?.action === 'Start';
}

export function isStartPaused(vm: VirtualMachine): boolean {
  return isStartRequested(vm) && firstRequest(vm)?.data?.['paused'] === 'true';
}

/** Whether the request is to stop this very VMI. */
export function isStopRequested(vm: VirtualMachine, instance: VirtualMachineInstance): boolean {
  const request = firstRequest(vm);
  return request?.action === 'Stop' && isFor(request, instance);
}

/** The requests that are left when the first one is done: a Stop whose VMI is gone, a Start whose VMI is there (vm.md 12.4). */
export function withoutDoneRequest(
  vm: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
): StateChangeRequest[] | undefined {
  const requests = vm.status?.stateChangeRequests;
  const request = firstRequest(vm);
  if (requests === undefined || request === undefined || !isDone(request, instance)) return requests;
  return requests.length === 1 ? undefined : requests.slice(1);
}

function isDone(request: StateChangeRequest, instance: VirtualMachineInstance | undefined): boolean {
  switch (request.action) {
    case 'Stop':
      return instance === undefined || !isFor(request, instance);
    case 'Start':
      return instance !== undefined && !isBeingDeleted(instance) && !isFinal(instance);
    default:
      return false;
  }
}

function isFor(request: StateChangeRequest, instance: VirtualMachineInstance): boolean {
  return request.uid !== undefined && request.uid === instance.metadata.uid;
}
