import { describe, expect, test } from 'vitest';
import { decideClaim } from '../../../../infra/node/storage/claim-decision.ts';
import type { Claim, StorageClass } from '../../../../infra/node/storage/objects.ts';
import { claim, immediate, volume, waiting } from './objects.ts';

const decision = (
  storageClass: StorageClass | undefined,
  change: (claim: Claim) => void = () => {},
  bound?: ReturnType<typeof volume>,
) => {
  const changed = claim('data', storageClass ?? waiting);
  change(changed);
  const found = decideClaim({ nodeName: 'node-a', claim: changed, storageClass, volume: bound });
  return 'message' in found ? `${found.type}: ${found.message}` : found.type;
};
const annotated = (key: string, value: string | undefined) => (c: Claim) => {
  const { [key]: _, ...others } = c.metadata.annotations ?? {};
  c.metadata.annotations = value === undefined ? others : { ...others, [key]: value };
};
const NODE = 'volume.kubernetes.io/selected-node';
const WANTED = 'volume.kubernetes.io/storage-provisioner';

describe('a claim', () => {
  test.each<[string, StorageClass | undefined, (claim: Claim) => void, string]>([
    ['that waits, its node chosen', waiting, () => {}, 'provision'],
    ['that waits, another node chosen', waiting, annotated(NODE, 'node-b'), 'none'],
    ['that waits, no node chosen yet', waiting, annotated(NODE, undefined), 'none'],
    ['of a class that binds at once', immediate, () => {}, 'provision'],
    ['of such a class, for another node', immediate, annotated(NODE, 'node-b'), 'none'],
    ['that kube-controller-manager has not handed over', immediate, annotated(WANTED, undefined), 'none'],
    ['handed to another provisioner', immediate, annotated(WANTED, 'other'), 'none'],
    ['of another provisioner’s class', { ...immediate, provisioner: 'other' }, () => {}, 'none'],
    ['of a class that is not there', undefined, () => {}, 'none'],
    ['that is being deleted', immediate, (c) => void (c.metadata.deletionTimestamp = 'now'), 'none'],
    ['as a block device', immediate, (c) => void (c.spec.volumeMode = 'Block'), 'provision'],
    ['for one pod only', immediate, (c) => void (c.spec.accessModes = ['ReadWriteOncePod']), 'provision'],
    ['that is bound', immediate, (c) => void (c.spec.volumeName = 'pvc-1'), 'none'],
  ])('%s', (_name, storageClass, change, expected) => {
    expect(decision(storageClass, change)).toBe(expected);
  });

  test.each<[string, StorageClass, (claim: Claim) => void, RegExp]>([
    [
      'shared by nodes',
      waiting,
      (c) => void (c.spec.accessModes = ['ReadWriteOnce', 'ReadWriteMany']),
      /ReadWriteMany/,
    ],
    ['read by many', waiting, (c) => void (c.spec.accessModes = ['ReadOnlyMany']), /ReadOnlyMany/],
    ['of another volume mode', waiting, (c) => void (c.spec.volumeMode = 'Tape'), /volume mode Tape/],
    ['that selects', waiting, (c) => void (c.spec.selector = {}), /selector/],
    ['that is to be a copy', waiting, (c) => void (c.spec.dataSource = { kind: 'VolumeSnapshot' }), /data source/],
    ['populated by others', waiting, (c) => void (c.spec.dataSourceRef = { kind: 'VolumeImport' }), /data source/],
    ['whose class has parameters', { ...waiting, parameters: { a: 'b' } }, () => {}, /parameters/],
    ['whose class has mount options', { ...waiting, mountOptions: ['ro'] }, () => {}, /mount options/],
    ['at once, in some place', { ...immediate, allowedTopologies: [{}] }, () => {}, /topologies/],
  ])('%s is refused', (_name, storageClass, change, message) => {
    expect(decision(storageClass, change)).toMatch(/^refuse: /);
    expect(decision(storageClass, change)).toMatch(message);
  });

  test('that grows is refused, one that does not is left', () => {
    const bound = (size: string) => (c: Claim) => {
      c.spec.volumeName = 'pvc-1';
      c.spec.resources = { requests: { storage: size } };
    };
    const own = volume(claim('data', waiting), waiting);
    expect(decision(waiting, bound('2Mi'), own)).toMatch(/^refuse-growth/);
    expect(decision(waiting, bound('1024Ki'), own)).toBe('none');
  });
});
