import type { ClusterConfiguration } from '../../../core/configuration/configuration.ts';
import type { Job } from '../../../core/objects.ts';
import { ownerReferenceTo } from '../../../core/owner.ts';
import { namesOf } from './hand-over.ts';
import type { StateMigration } from './migration.ts';

const LIMIT_SECONDS = 30;
const CONTAINER = 'container';
/** The job's exit code if the state was not moved. */
const NOT_MOVED = 42;

export function recoveryJobName({ metadata }: StateMigration): string {
  return `recover-${metadata.name}`;
}

/** Looks on the source's claim whether the guest's state has moved to the target (vmi.md 9.9, migration.md 9.5). */
export function recoveryJob(migration: StateMigration, { process }: ClusterConfiguration): Job {
  const name = recoveryJobName(migration);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: migration.metadata.namespace, ownerReferences: [ownerReferenceTo(migration)] },
    spec: {
      activeDeadlineSeconds: LIMIT_SECONDS,
      backoffLimit: 0,
      ttlSecondsAfterFinished: LIMIT_SECONDS,
      podFailurePolicy: {
        rules: [
          {
            action: 'FailJob',
            onExitCodes: { containerName: CONTAINER, operator: 'In', values: [NOT_MOVED] },
          },
        ],
      },
      template: {
        metadata: { generateName: `${name}-` },
        spec: {
          restartPolicy: 'Never',
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: CONTAINER,
              image: process.launcherImage,
              command: ['bash', '-c', `ls /meta/migrated || exit ${NOT_MOVED}`],
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              volumeMounts: [{ name: 'backend-storage', mountPath: '/meta', subPath: 'meta' }],
            },
          ],
          volumes: [{ name: 'backend-storage', persistentVolumeClaim: { claimName: namesOf(migration).source } }],
        },
      },
    },
  };
}
