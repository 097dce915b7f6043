import type { VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import type { EffectiveRunStrategy } from './run-strategy/effective.ts';
import { isStartRequested, isStopRequested } from './state-change-requests.ts';

/** Whether the VM is set to start, or to go on running (vm.md 12.5, "set to start"). */
export function isSetToStart(
  vm: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  strategy: EffectiveRunStrategy,
): boolean {
  if (strategy.type === 'invalid') return false;
  switch (strategy.name) {
    case 'Always':
      return true;
    case 'Manual':
      return instance === undefined ? isStartRequested(vm) : !isStopRequested(vm, instance);
    case 'RerunOnFailure':
      if (instance !== undefined) return instance.status?.phase !== 'Succeeded';
      return isStartRequested(vm) || vm.status?.runStrategy !== 'RerunOnFailure';
    case 'Once':
      return instance === undefined;
    default:
      return false;
  }
}
