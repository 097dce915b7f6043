import type { V1CPU } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { isConditionStatus } from '../../core/conditions.ts';
import { testAndReplace } from '../../core/json-patch.ts';
import { add } from '../../core/quantity/arithmetic.ts';
import { NANO } from '../../core/quantity/quantity.ts';
import { patchInstance, withSpec } from '../instance-patch.ts';
import { isMigrating } from '../instance-state.ts';
import { requireRestart } from '../restart-required.ts';
import { next, type Step, syncError } from '../step.ts';
import type { LiveUpdate } from './live-update.ts';
import { changeResources, isNonZero } from './resources.ts';

const DEFAULT_RATIO = 10;
const MILLI = NANO / 1000n;

/** Sockets of a running VMI (vm.md 7.1): they can be plugged in, up to the VMI's maximum; never taken away. */
export function updateCpu({ pass, desired, instance }: LiveUpdate): Step {
  const [wanted, running] = [desired.domain?.cpu, instance.spec.domain.cpu];
  const [sockets, now] = [wanted?.sockets ?? 0, running?.sockets ?? 0];
  if (wanted === undefined || running === undefined || sockets === now) return next;
  if (isConditionStatus(instance.status?.conditions, 'HotVCPUChange')) return refuse('CPUs are being plugged in');
  if (isMigrating(instance, pass.context.nowMs)) return refuse('the VMI is being migrated');

  const obstacle = obstacleTo(sockets, now, running, desired.architecture);
  if (obstacle !== undefined) {
    requireRestart(pass, obstacle);
    return next;
  }
  const ratio = pass.context.configuration.kubevirt.developerConfiguration?.cpuAllocationRatio || DEFAULT_RATIO;
  const milli = BigInt(vcpus(wanted) - vcpus(running)) * BigInt(Math.floor(1000 / ratio));
  const more = { nano: milli * MILLI, format: 'decimal' } as const;
  const resources = changeResources(instance.spec.domain.resources, 'cpu', {
    requests: isNonZero(desired.domain.resources?.requests, 'cpu') ? (old) => add(old, more) : undefined,
    limits: isNonZero(desired.domain.resources?.limits, 'cpu') ? (old) => add(old, more) : undefined,
  });
  const operations = [...testAndReplace('/spec/domain/cpu/sockets', running.sockets, sockets), ...resources.operations];
  const domain = { ...instance.spec.domain, cpu: { ...running, sockets }, resources: resources.resources };
  const failure = patchInstance(pass, 'vmi-cpu', operations, withSpec(instance, { domain }));
  return failure === undefined ? next : refuse(failure.message);
}

function obstacleTo(
  sockets: number,
  now: number,
  running: V1CPU,
  architecture: string | undefined,
): string | undefined {
  if (sockets > (running.maxSockets ?? 0)) return 'the number of sockets exceeds the maximum of the running VMI';
  if (sockets < now) return 'a running VMI can not give up sockets';
  return architecture === 'arm64' ? 'CPUs can not be plugged in on arm64' : undefined;
}

/** Cores, sockets and threads multiplied, as far as they are given. */
function vcpus({ cores, sockets, threads }: V1CPU): number {
  const given = [cores, sockets, threads].filter((n): n is number => (n ?? 0) !== 0);
  return given.length === 0 ? 0 : given.reduce((product, n) => product * n, 1);
}

function refuse(cause: string): Step {
  return syncError('HotPlugCPUError', `Plugging in CPUs: ${cause}`);
}
