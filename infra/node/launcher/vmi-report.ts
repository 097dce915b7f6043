import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { timestamp } from '../node/time.ts';
import type { GuestRecord, StartedRecord } from './guest-record.ts';
import type { Outcome } from './outcome.ts';

type Status = NonNullable<VirtualMachineInstance['status']>;

/** Phases in which the node's agent owns the VMI (vmi.md 1.3). */
export function isHandedOver(vmi: VirtualMachineInstance): boolean {
  return vmi.status?.phase === 'Scheduled' || vmi.status?.phase === 'Running';
}

export function isFinal(vmi: VirtualMachineInstance): boolean {
  return vmi.status?.phase === 'Succeeded' || vmi.status?.phase === 'Failed';
}

/** The VMI of a guest that runs now; undefined when it says so already, or is not the agent's to change. */
export function runningVmi(
  vmi: VirtualMachineInstance,
  record: GuestRecord,
  nowMs: number,
): VirtualMachineInstance | undefined {
  if (vmi.status?.phase !== 'Scheduled') return undefined;
  const { start, podIp } = record;
  const migratable = start?.migratable ?? false;
  const condition = {
    type: 'LiveMigratable',
    status: migratable ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: timestamp(nowMs),
    ...(migratable ? {} : { reason: 'DisksNotLiveMigratable', message: 'a disk exists on this node only' }),
  };
  return withStatus(vmi, {
    ...withPhase(vmi.status, 'Running', nowMs),
    conditions: [...(vmi.status.conditions ?? []).filter((c) => c.type !== condition.type), condition],
    migrationMethod: 'LiveMigration',
    interfaces: start?.interfaces.map(({ name, mac }) => ({
      name,
      mac,
      ipAddress: podIp,
      ipAddresses: [podIp],
      podInterfaceName: 'eth0',
      infoSource: 'domain',
      queueCount: 1,
    })),
    ...volumeTargets(vmi, start?.targets ?? {}),
    machine: { type: start?.machineType ?? 'q35' },
    selinuxContext: 'none',
  });
}

/** The controller has the entries; the names of their disks are the node's. */
function volumeTargets(
  { status }: VirtualMachineInstance,
  targets: NonNullable<StartedRecord['targets']>,
): Partial<Status> {
  if (status?.volumeStatus === undefined) return {};
  return {
    volumeStatus: status.volumeStatus.map((entry) => ({ ...entry, target: targets[entry.name] ?? entry.target })),
  };
}

/** The VMI of a guest that has ended; undefined when it is not the agent's to change (any more). */
export function endedVmi(
  vmi: VirtualMachineInstance,
  outcome: Outcome,
  nowMs: number,
): VirtualMachineInstance | undefined {
  if (vmi.status === undefined || !isHandedOver(vmi)) return undefined;
  const reason = outcome.phase === 'Failed' ? { reason: outcome.reason } : {};
  return withStatus(vmi, { ...withPhase(vmi.status, outcome.phase, nowMs), ...reason });
}

function withStatus(vmi: VirtualMachineInstance, status: Status): VirtualMachineInstance {
  return { ...vmi, status };
}

function withPhase(status: Status, phase: string, nowMs: number): Status {
  return {
    ...status,
    phase,
    phaseTransitionTimestamps: [
      ...(status.phaseTransitionTimestamps ?? []),
      { phase, phaseTransitionTimestamp: timestamp(nowMs) },
    ],
  };
}
