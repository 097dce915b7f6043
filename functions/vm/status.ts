import { isConditionStatus } from '../core/conditions.ts';
import type { VirtualMachine } from '../core/objects.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import { volumeSnapshotStatuses } from '../rules/volume-snapshot-status/volume-snapshot-statuses.ts';
import { nextTracking } from './changed-block-tracking.ts';
import { nextConditions } from './conditions.ts';
import { observedGeneration } from './generation.ts';
import { nextMemoryDump } from './hotplug/next-memory-dump.ts';
import { condition } from './names.ts';
import { intent, type Pass } from './pass.ts';
import { printableStatus } from './printable-status.ts';
import { effectiveRunStrategy } from './run-strategy/effective.ts';
import { nextStartFailure } from './start-failure.ts';
import { withoutDoneRequest } from './state-change-requests.ts';
import { hardError, next, type Step, type SyncError } from './step.ts';
import { nextVolumeMigration } from './volume-migration/next-volume-migration.ts';
import { openVolumeRequests } from './volume-requests.ts';

type Status = NonNullable<VirtualMachine['status']>;

/** Computes the status in the order of vm.md 12.1, and writes it if it differs from the one that was read. */
export function updateStatus(pass: Pass, error: SyncError | undefined): Step {
  const generations = nextGenerations(pass);
  if (generations.type === 'error') return hardError(`generation of the VMI: ${generations.message}`);

  const { vm, instance, context } = pass;
  const { nowMs } = context;
  const strategy = effectiveRunStrategy(pass.asRead);
  const status: Status = {
    ...vm.status,
    ...generations.members,
    volumeSnapshotStatuses: nextSnapshotStatuses(pass, vm),
  };
  const working = { ...vm, status };

  status.created = instance !== undefined;
  status.ready = isConditionStatus(instance?.status?.conditions, condition.ready);
  if (strategy.type === 'strategy' && (status.created || (status.runStrategy ?? '') !== '')) {
    status.runStrategy = strategy.name;
  }
  status.volumeRequests = openVolumeRequests(working);
  status.memoryDumpRequest = nextMemoryDump(working, instance);
  status.stateChangeRequests = withoutDoneRequest(working, instance);
  status.startFailure = nextStartFailure(working, instance, strategy, nowMs);
  Object.assign(status, nextVolumeMigration(working, instance, nowMs));
  status.conditions = nextConditions(status.conditions, { instance, error, nowMs });
  const { startExpected, stopExpected } = pass;
  const { claims, dataVolumes } = pass.reads;
  status.printableStatus = printableStatus({
    vm: working,
    instance,
    strategy,
    claims,
    dataVolumes,
    startExpected,
    stopExpected,
    nowMs,
  });
  status.changedBlockTracking = nextTracking(pass, working);
  return writeStatus(pass, status);
}

/**
 * Keeps the volume snapshot statuses alone: what is left of the status in a pass that ends with a hard error. In the original
 * they are another controller's work, which such an error does not touch.
 */
export function updateVolumeSnapshotStatuses(pass: Pass): Step {
  const { asRead } = pass;
  return writeStatus(pass, { ...asRead.status, volumeSnapshotStatuses: nextSnapshotStatuses(pass, asRead) });
}

/** What can't be told now stays as it was. */
function nextSnapshotStatuses({ reads }: Pass, vm: VirtualMachine): Status['volumeSnapshotStatuses'] {
  const computed = volumeSnapshotStatuses(vm, reads);
  if (computed.type === 'error') return vm.status?.volumeSnapshotStatuses;
  return computed.statuses.length === 0 ? undefined : computed.statuses;
}

function writeStatus(pass: Pass, status: Status): Step {
  if (semanticallyEqual(pass.asRead.status, status, 'VirtualMachineStatus!')) return next;
  const failure = pass.attempt({
    id: intent.updateStatus,
    verb: 'updateStatus',
    object: writtenForm({ ...pass.vm, status }),
  });
  return failure === undefined ? next : hardError(`writing the status: ${failure.message}`);
}

type Generations =
  | { readonly type: 'known'; readonly members: Pick<Status, 'observedGeneration' | 'desiredGeneration'> }
  | { readonly type: 'error'; readonly message: string };

/** Without a VMI, and without knowing what it runs, both keep their last values. */
function nextGenerations(pass: Pass): Generations {
  if (pass.instance === undefined) return { type: 'known', members: {} };
  const observed = observedGeneration(pass);
  switch (observed.type) {
    case 'error':
      return observed;
    case 'unknown':
      return { type: 'known', members: {} };
    case 'known':
      return {
        type: 'known',
        members: { observedGeneration: observed.generation, desiredGeneration: pass.vm.metadata.generation },
      };
  }
}
