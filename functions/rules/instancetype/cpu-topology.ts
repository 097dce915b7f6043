import type { PreferenceSpec } from './profile.ts';
import { isPresent } from './set-members.ts';

export interface CpuTopology {
  readonly cores: number;
  readonly sockets: number;
  readonly threads: number;
}

const DEFAULT_RATIO = 2;
const ONE: CpuTopology = { cores: 1, sockets: 1, threads: 1 };

/** How an instance type's vCPUs are spread over sockets, cores and threads (vm.md 10.4); a topology that is none: one of each. */
export function cpuTopology(vCpus: number, preference: PreferenceSpec | undefined): CpuTopology {
  if (vCpus <= 1) return ONE;
  switch (preference?.cpu?.preferredCPUTopology ?? 'sockets') {
    case 'cores':
    case 'preferCores':
      return { ...ONE, cores: vCpus };
    case 'sockets':
    case 'any':
    case 'preferSockets':
    case 'preferAny':
      return { ...ONE, sockets: vCpus };
    case 'threads':
    case 'preferThreads':
      return { ...ONE, threads: vCpus };
    case 'spread':
    case 'preferSpread':
      return spread(vCpus, preference);
    default:
      return ONE;
  }
}

function spread(vCpus: number, preference: PreferenceSpec | undefined): CpuTopology {
  const ratio = spreadRatio(preference);
  switch (preference?.cpu?.spreadOptions?.across ?? 'SocketsCores') {
    case 'SocketsCores':
      return { ...ONE, cores: ratio, sockets: Math.trunc(vCpus / ratio) };
    case 'CoresThreads':
      return { ...ONE, threads: ratio, cores: Math.trunc(vCpus / ratio) };
    case 'SocketsCoresThreads':
      return { threads: 2, cores: ratio, sockets: Math.trunc(Math.trunc(vCpus / 2) / ratio) };
    default:
      return ONE;
  }
}

/** A ratio of zero counts as none: nothing can be divided by it. */
function spreadRatio(preference: PreferenceSpec | undefined): number {
  const ratios = [preference?.cpu?.spreadOptions?.ratio, preference?.preferSpreadSocketToCoreRatio];
  return ratios.find((r) => isPresent(r) && r > 0) ?? DEFAULT_RATIO;
}
