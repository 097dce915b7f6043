import { expect, test } from 'vitest';
import type { PersistentVolume } from '../../../../infra/node/storage/objects.ts';
import { decideVolume } from '../../../../infra/node/storage/volume-decision.ts';
import { claim, immediate, volume } from './objects.ts';

const of = (node = 'node-a', reclaimPolicy = 'Delete') =>
  volume(claim('data', immediate), { ...immediate, reclaimPolicy }, node);
const inPhase = (phase: string, v: PersistentVolume = of()): PersistentVolume => ({ ...v, status: { phase } });
const deleted = (v: PersistentVolume): PersistentVolume => ({
  ...v,
  metadata: { ...v.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
});
const foreign: PersistentVolume = { ...of(), metadata: { name: 'pvc-1', annotations: {} } };

test.each<[string, PersistentVolume, boolean, string]>([
  ['bound', inPhase('Bound'), false, 'none'],
  ['released', inPhase('Released'), false, 'delete'],
  ['released, its file in a guest', inPhase('Released'), true, 'await-guest'],
  ['deleted before its claim', deleted(inPhase('Bound')), false, 'none'],
  ['deleted, then released', deleted(inPhase('Released')), false, 'delete'],
  ['released, of another node', inPhase('Released', of('node-b')), false, 'none'],
  ['released, of another provisioner', inPhase('Released', foreign), false, 'none'],
  ['released, to be kept', inPhase('Released', of('node-a', 'Retain')), false, 'none'],
  ['released, to be kept, deleted', deleted(inPhase('Released', of('node-a', 'Retain'))), false, 'let-go'],
])('a volume: %s', (_name, v, inUse, expected) => {
  expect(decideVolume({ nodeName: 'node-a', volume: v, inUse }).type).toBe(expected);
});
