import type { Action } from '../../../core/action.ts';
import { conditionOf, isConditionStatus } from '../../../core/conditions.ts';
import type { ClusterConfiguration } from '../../../core/configuration/configuration.ts';
import type { Job, PersistentVolumeClaim } from '../../../core/objects.ts';
import { abortBackendStorage, handOverBackendStorage, namesOf } from './hand-over.ts';
import type { StateMigration } from './migration.ts';
import { recoveryJob } from './recovery-job.ts';

export const CREATE_JOB_ID = 'create recovery job';
export const DELETE_JOB_ID = 'delete recovery job';

/**
 * How an interrupted migration with backend storage ends (vmi.md 9.9, migration.md 9.5).
 *
 * - `ended`: the migration gets that phase, behind the actions.
 * - `unknown`: nothing is decided yet: the pass ends with that error, behind the actions.
 */
export type Recovery =
  | { readonly type: 'ended'; readonly phase: 'Succeeded' | 'Failed'; readonly actions: readonly Action[] }
  | { readonly type: 'unknown'; readonly message: string; readonly actions: readonly Action[] };

export interface RecoveryInput {
  readonly migration: StateMigration;
  /** The job of `recoveryJobName`, if it is there. */
  readonly job: Job | undefined;
  readonly claims: readonly PersistentVolumeClaim[];
  readonly configuration: ClusterConfiguration;
}

export function recoverBackendStorage({ migration, job, claims, configuration }: RecoveryInput): Recovery {
  const { source, target } = namesOf(migration);
  if (migration.status?.migrationState === undefined || source === target) return ended('Failed', []);
  if (job === undefined) {
    const create: Action = { id: CREATE_JOB_ID, verb: 'create', object: recoveryJob(migration, configuration) };
    return {
      type: 'unknown',
      message: 'Whether the state of the guest has moved is being looked up',
      actions: [create],
    };
  }
  const { conditions } = job.status ?? {};
  if (isConditionStatus(conditions, 'Complete')) {
    const handOver = handOverBackendStorage(migration, claims);
    return handOver.type === 'error'
      ? { type: 'unknown', message: handOver.message, actions: [] }
      : ended('Succeeded', handOver.actions);
  }
  if (isConditionStatus(conditions, 'Failed')) {
    const { reason = '', message = '' } = conditionOf(conditions, 'Failed') ?? {};
    if (reason === 'PodFailurePolicy') return ended('Failed', abortBackendStorage(migration, claims));
    return {
      type: 'unknown',
      message: `Job ${job.metadata.name} failed: ${reason} ${message}`,
      actions: [deletion(job)],
    };
  }
  return { type: 'unknown', message: `Job ${job.metadata.name} has not ended yet`, actions: [] };
}

function ended(phase: 'Succeeded' | 'Failed', actions: readonly Action[]): Recovery {
  return { type: 'ended', phase, actions };
}

/** With its pods. */
function deletion({ kind, metadata }: Job): Action {
  const { name, namespace, uid = '', resourceVersion = '' } = metadata;
  return {
    id: DELETE_JOB_ID,
    verb: 'delete',
    target: { kind, namespace, name },
    uid,
    resourceVersion,
    propagationPolicy: 'Background',
  };
}
