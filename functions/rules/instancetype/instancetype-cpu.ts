import type { MemberPath } from '../../core/written-form/misfit.ts';
import { cpuTopology } from './cpu-topology.ts';
import type { InstanceSpec, Profile } from './profile.ts';
import { isNonZero, isPresent } from './set-members.ts';

type Domain = InstanceSpec['domain'];

/** The rows about CPUs of the table in vm.md 10.4. The topology is always set, whatever else the instance type says. */
export function setCpu(domain: Domain, { instancetype, preference }: Profile): readonly MemberPath[] {
  if (instancetype === undefined) return [];
  const { guest, model, dedicatedCPUPlacement, isolateEmulatorThread, numa, realtime, maxSockets } = instancetype.cpu;
  const given = domain.cpu ?? {};
  const { requests, limits } = domain.resources ?? {};
  const sets: readonly (readonly [isWanted: boolean, old: unknown, path: MemberPath])[] = [
    [true, requests?.['cpu'], ['resources', 'requests', 'cpu']],
    [true, limits?.['cpu'], ['resources', 'limits', 'cpu']],
    [true, given.sockets, ['cpu', 'sockets']],
    [true, given.cores, ['cpu', 'cores']],
    [true, given.threads, ['cpu', 'threads']],
    [isPresent(model), given.model, ['cpu', 'model']],
    [isPresent(dedicatedCPUPlacement), given.dedicatedCpuPlacement, ['cpu', 'dedicatedCpuPlacement']],
    [isPresent(isolateEmulatorThread), given.isolateEmulatorThread, ['cpu', 'isolateEmulatorThread']],
    [isPresent(numa), isPresent(given.numa), ['cpu', 'numa']],
    [isPresent(realtime), isPresent(given.realtime), ['cpu', 'realtime']],
  ];
  domain.cpu = {
    ...given,
    ...(isPresent(model) ? { model } : {}),
    ...(isPresent(dedicatedCPUPlacement) ? { dedicatedCpuPlacement: dedicatedCPUPlacement } : {}),
    ...(isPresent(isolateEmulatorThread) ? { isolateEmulatorThread } : {}),
    ...(isPresent(numa) ? { numa: structuredClone(numa) } : {}),
    ...(isPresent(realtime) ? { realtime: structuredClone(realtime) } : {}),
    ...(isPresent(maxSockets) ? { maxSockets } : {}),
    ...cpuTopology(guest, preference),
  };
  return sets.filter(([isWanted, old]) => isWanted && isNonZero(old)).map(([, , path]) => ['spec', 'domain', ...path]);
}
