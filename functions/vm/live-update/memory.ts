import { conditionOf, isConditionStatus } from '../../core/conditions.ts';
import { testAndReplace } from '../../core/json-patch.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { add, compare } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { canonicalQuantity, NANO, type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import type { Spec } from '../edit-copy.ts';
import { patchInstance, withSpec } from '../instance-patch.ts';
import { isMigrating } from '../instance-state.ts';
import { requireRestart } from '../restart-required.ts';
import { next, type Step, syncError } from '../step.ts';
import type { LiveUpdate } from './live-update.ts';
import { amountOf, changeResources, isNonZero } from './resources.ts';

const GI = 1024n ** 3n;
const BLOCK = 2n * 1024n ** 2n;

/** Guest memory of a running VMI (vm.md 7.4): it can grow, up to the VMI's maximum, and shrink to what it had at its start. */
export function updateMemory({ pass, desired, instance }: LiveUpdate): Step {
  const conditions = instance.status?.conditions;
  const running = instance.spec.domain.memory;
  const current = parsed(instance.status?.memory?.guestCurrent);
  const guest = parsed(desired.domain?.memory?.guest);
  const now = parsed(running?.guest);
  if (guest === undefined || now === undefined || current === undefined) return next;

  const restart = (why: string): Step => {
    requireRestart(pass, `the guest's memory can not be changed while it runs: ${why}`);
    return next;
  };
  const change = conditionOf(conditions, 'HotMemoryChange')?.status;
  if (change === 'False') return restart('an earlier change has failed');
  if (compare(guest, now) === 0) return next;
  if (!isConditionStatus(conditions, 'LiveMigratable')) return restart('the VMI is not live migratable');
  const most = parsed(running?.maxGuest);
  if (most === undefined) return restart('the VMI has no maximum');
  if (change === 'True') return refuse('memory is being plugged in');
  if (isMigrating(instance, pass.context.nowMs)) return refuse('the VMI is being migrated');
  const obstacle = obstacleTo(desired, guest, most, instance);
  if (obstacle !== undefined) return restart(obstacle);
  return patchMemory({ pass, desired, instance }, guest, current);
}

/** What stands against a guest of that size, by rules 7 to 9. */
function obstacleTo(
  { domain, architecture }: Spec,
  guest: Quantity,
  most: Quantity,
  instance: VirtualMachineInstance,
): string | undefined {
  const block = (domain.memory?.hugepages?.pageSize === '1Gi' ? GI : BLOCK) * NANO;
  const atBoot = parsed(instance.status?.memory?.guestAtBoot);
  if (domain.cpu?.realtime) return 'realtime';
  if (domain.cpu?.numa?.guestMappingPassthrough) return 'NUMA passthrough';
  if (domain.launchSecurity) return 'launch security';
  if (compare(guest, most) > 0) return 'it exceeds the maximum';
  if (guest.nano % block !== 0n) return 'it is no multiple of the block size';
  if (most.nano % block !== 0n) return 'the maximum is no multiple of the block size';
  if (architecture !== 'amd64') return 'the architecture is not amd64';
  if (guest.nano < GI * NANO) return 'it is less than 1Gi';
  if (atBoot !== undefined && compare(guest, atBoot) < 0) return 'it is less than at the start';
  return undefined;
}

function patchMemory({ pass, desired, instance }: LiveUpdate, guest: Quantity, current: Quantity): Step {
  const { domain } = instance.spec;
  const delta = { ...guest, nano: guest.nano - current.nano };
  const request = add(amountOf(domain.resources?.requests, 'memory'), delta);
  const hasRequest = isNonZero(domain.resources?.requests, 'memory');
  // A request below the guest is lifted to it, and the limit then stays.
  const isLifted = hasRequest && compare(request, guest) < 0;
  const limitDelta = isLifted ? wholeQuantity(0) : delta;
  const resources = changeResources(domain.resources, 'memory', {
    requests: hasRequest ? () => (isLifted ? guest : request) : undefined,
    limits: isNonZero(desired.domain.resources?.limits, 'memory') ? (old) => add(old, limitDelta) : undefined,
  });
  const wanted = canonicalQuantity(desired.domain.memory?.guest ?? '');
  const operations = [
    ...testAndReplace('/spec/domain/memory/guest', domain.memory?.guest, wanted),
    ...resources.operations,
  ];
  const changed = { ...domain, memory: { ...domain.memory, guest: wanted }, resources: resources.resources };
  const failure = patchInstance(pass, 'vmi-memory', operations, withSpec(instance, { domain: changed }));
  return failure === undefined ? next : refuse(failure.message);
}

function parsed(text: string | undefined): Quantity | undefined {
  return text === undefined ? undefined : parseQuantity(text);
}

function refuse(cause: string): Step {
  return syncError('HotPlugMemoryError', `Plugging in memory: ${cause}`);
}
