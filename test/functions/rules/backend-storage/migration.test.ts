import { describe, expect, test } from 'vitest';
import { defaultConfiguration, defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import type {
  Condition,
  Job,
  PersistentVolumeClaim,
  VirtualMachineInstance,
} from '../../../../functions/core/objects.ts';
import {
  abortBackendStorage,
  handOverBackendStorage,
} from '../../../../functions/rules/backend-storage/migration/hand-over.ts';
import type { StateMigration } from '../../../../functions/rules/backend-storage/migration/migration.ts';
import { recoverBackendStorage } from '../../../../functions/rules/backend-storage/migration/recovery.ts';
import { targetClaim } from '../../../../functions/rules/backend-storage/migration/target-claim.ts';

const configuration = defaultConfiguration('kubevirt', defaultProcessParameters);

function migration(state?: { source?: string; target?: string }, spec: object = {}): StateMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'move', namespace: 'ns', uid: 'move-uid' },
    spec: { vmiName: 'v', ...spec },
    ...(state && {
      status: {
        migrationState: {
          ...(state.source !== undefined && { sourcePersistentStatePVCName: state.source }),
          ...(state.target !== undefined && { targetPersistentStatePVCName: state.target }),
        },
      },
    }),
  };
}

function claim(
  name: string,
  labels: Record<string, string> = {},
  extra: Partial<PersistentVolumeClaim> = {},
): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'ns', uid: `uid-${name}`, resourceVersion: '7', labels },
    spec: {},
    ...extra,
  };
}
const ofVmi = { 'persistent-state-for': 'v' };
const ofMigration = { 'kubevirt.io/migrationName': 'move' };
const both = { source: 'old', target: 'new' };

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'v', namespace: 'ns', uid: 'v-uid' },
  spec: { domain: { devices: { tpm: { persistent: true } } } } as VirtualMachineInstance['spec'],
};

describe('claim of a target (migration.md 9.2)', () => {
  const classes = [
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'c', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    },
  ];
  const choose = (m: StateMigration, ...claims: PersistentVolumeClaim[]) =>
    targetClaim({
      migration: m,
      claims,
      vmi,
      configuration,
      storageClasses: classes,
      storageProfiles: [],
      borne: new Set(),
    });

  test('one with the label of the migration', () => {
    expect(choose(migration(), claim('new', ofMigration))).toEqual({ type: 'named', name: 'new', isThere: true });
  });

  test('the recorded one, there or not', () => {
    expect(choose(migration({ target: 'new' }), claim('new'))).toEqual({ type: 'named', name: 'new', isThere: true });
    expect(choose(migration({ target: 'new' }), claim('other', ofMigration))).toEqual({
      type: 'named',
      name: 'new',
      isThere: false,
    });
  });

  test("the VMI's own, if several nodes can mount it", () => {
    const shared = { status: { accessModes: ['ReadWriteMany'] } };
    expect(choose(migration(), claim('old', ofVmi, shared))).toEqual({ type: 'shared', name: 'old' });
  });

  test('else a new one under a name of the migration', () => {
    const made = choose(migration(), claim('old', ofVmi, { status: { accessModes: ['ReadWriteOnce'] } }));
    expect(made).toMatchObject({
      type: 'claim',
      claim: {
        metadata: {
          generateName: 'persistent-state-for-v-',
          labels: { ...ofMigration, 'cdi.kubevirt.io/applyStorageProfile': 'true' },
          ownerReferences: [{ kind: 'VirtualMachineInstance', uid: 'v-uid', controller: true }],
        },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'c' },
      },
    });
    if (made.type === 'claim') expect(made.claim.metadata.labels).not.toHaveProperty('persistent-state-for');
  });
});

describe('hand-over (vmi.md 9.9, migration.md 9.3)', () => {
  const handOver = (m: StateMigration, ...claims: PersistentVolumeClaim[]) => handOverBackendStorage(m, claims);

  test('label first, then the source goes', () => {
    expect(handOver(migration(both), claim('old', ofVmi), claim('new', ofMigration))).toMatchObject({
      type: 'actions',
      actions: [
        {
          verb: 'patch',
          target: { name: 'new' },
          patch: {
            operations: [
              { op: 'replace', path: '/metadata/labels/persistent-state-for', value: 'v' },
              { op: 'test', path: '/metadata/labels/kubevirt.io~1migrationName', value: 'move' },
              { op: 'remove', path: '/metadata/labels/kubevirt.io~1migrationName' },
            ],
          },
        },
        { verb: 'delete', target: { name: 'old' }, uid: 'uid-old' },
      ],
    });
  });

  test('handed over by an earlier try: only the source is left', () => {
    const result = handOver(migration(both), claim('old', ofVmi), claim('new', ofVmi));
    expect(result).toMatchObject({ type: 'actions', actions: [{ verb: 'delete', target: { name: 'old' } }] });
    expect(handOver(migration(both), claim('new', ofVmi))).toEqual({ type: 'actions', actions: [] });
  });

  test('a shared claim: nothing', () => {
    expect(handOver(migration({ source: 'old', target: 'old' }))).toEqual({ type: 'actions', actions: [] });
  });

  test.each([
    ['no state', migration()],
    ['no target', migration({ source: 'old' })],
    ['no source', migration({ target: 'new' })],
    ['no claim', migration(both)],
  ])('%s: an error', (_, m) => {
    expect(handOver(m).type).toBe('error');
  });

  test('a claim with the state of another VMI: an error', () => {
    const taken = claim('new', { ...ofMigration, 'persistent-state-for': 'w' });
    expect(handOver(migration(both), taken).type).toBe('error');
  });

  test('of a decentralized migration the source may be nameless', () => {
    const m = migration({ target: 'new' }, { receive: { migrationID: 'm' } });
    expect(handOver(m, claim('new', ofMigration))).toMatchObject({ type: 'actions', actions: [{ verb: 'patch' }] });
  });
});

describe('abort (migration.md 9.4)', () => {
  test('the target goes, a shared or nameless one stays', () => {
    expect(abortBackendStorage(migration(both), [claim('old'), claim('new')])).toMatchObject([
      { verb: 'delete', target: { name: 'new' } },
    ]);
    expect(abortBackendStorage(migration({ source: 'a', target: 'a' }), [claim('a')])).toEqual([]);
    expect(abortBackendStorage(migration(), [claim('new')])).toEqual([]);
    expect(abortBackendStorage(migration(both), [])).toEqual([]);
  });
});

describe('recovery (migration.md 9.5)', () => {
  const claims = [claim('old', ofVmi), claim('new', ofMigration)];
  const job = (...conditions: Condition[]): Job => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'recover-move', namespace: 'ns', uid: 'job-uid', resourceVersion: '9' },
    status: { conditions },
  });
  const recover = (m: StateMigration, found: Job | undefined) =>
    recoverBackendStorage({ migration: m, job: found, claims, configuration });

  test('no state, or nothing that could have moved: Failed', () => {
    expect(recover(migration(), undefined)).toEqual({ type: 'ended', phase: 'Failed', actions: [] });
    expect(recover(migration({ source: 'a', target: 'a' }), undefined)).toMatchObject({ phase: 'Failed' });
  });

  test('a job looks at the source', () => {
    const result = recover(migration(both), undefined);
    expect(result).toMatchObject({
      type: 'unknown',
      actions: [
        {
          verb: 'create',
          object: {
            metadata: { name: 'recover-move', ownerReferences: [{ uid: 'move-uid', controller: true }] },
            spec: {
              backoffLimit: 0,
              activeDeadlineSeconds: 30,
              ttlSecondsAfterFinished: 30,
              template: {
                spec: {
                  restartPolicy: 'Never',
                  volumes: [{ persistentVolumeClaim: { claimName: 'old' } }],
                },
              },
            },
          },
        },
      ],
    });
  });

  test('the state has moved: handed over', () => {
    expect(recover(migration(both), job({ type: 'Complete', status: 'True' }))).toMatchObject({
      type: 'ended',
      phase: 'Succeeded',
      actions: [{ verb: 'patch' }, { verb: 'delete', target: { name: 'old' } }],
    });
  });

  test('it has not: the target goes', () => {
    const failed = job({ type: 'Failed', status: 'True', reason: 'PodFailurePolicy' });
    expect(recover(migration(both), failed)).toMatchObject({
      type: 'ended',
      phase: 'Failed',
      actions: [{ verb: 'delete', target: { name: 'new' } }],
    });
  });

  test('the job failed for another reason: it goes with its pods, and is tried again', () => {
    const failed = job({ type: 'Failed', status: 'True', reason: 'DeadlineExceeded' });
    expect(recover(migration(both), failed)).toMatchObject({
      type: 'unknown',
      actions: [{ verb: 'delete', target: { name: 'recover-move' }, propagationPolicy: 'Background' }],
    });
  });

  test('the job runs: nothing', () => {
    expect(recover(migration(both), job())).toMatchObject({ type: 'unknown', actions: [] });
  });
});
