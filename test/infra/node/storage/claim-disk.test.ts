import { expect, test } from 'vitest';
import { type ClaimDiskSituation, claimDisk } from '../../../../infra/node/storage/claim-disk.ts';
import { claim, immediate, volume } from './objects.ts';

const bound = { ...claim('data', immediate), status: { phase: 'Bound' } };
const own = volume(bound, immediate);
const all: ClaimDiskSituation = { nodeName: 'node-a', name: 'data', claim: bound, volume: own, path: '/data/disk.img' };
const foreign = { ...own, metadata: { ...own.metadata, annotations: {} } };

test.each<[string, Partial<ClaimDiskSituation>, string | RegExp]>([
  ['bound to a volume of the node', {}, 'ready'],
  ['not there', { claim: undefined, volume: undefined }, /"data" not found/],
  ['not bound yet', { claim: claim('data', immediate), volume: undefined }, 'waiting'],
  ['bound to a volume that is not known yet', { volume: undefined }, 'waiting'],
  [
    'being deleted',
    { claim: { ...bound, metadata: { ...bound.metadata, deletionTimestamp: 'now' } } },
    /being deleted/,
  ],
  ['that has lost its volume', { claim: { ...bound, status: { phase: 'Lost' } } }, /lost its volume/],
  ['whose volume is another claim’s', { volume: volume(claim('other', immediate), immediate) }, /another claim/],
  ['bound to another node’s volume', { volume: volume(bound, immediate, 'node-b') }, /not one of this node/],
  ['bound to a volume that somebody else has made', { volume: foreign }, /not one of this node/],
  ['whose file is gone', { path: undefined }, /file of volume .* is missing/],
])('a claim %s', (_name, parts, expected) => {
  const state = claimDisk({ ...all, ...parts });
  expect(state.type === 'unusable' ? state.message : state.type).toMatch(expected);
});

test('the file is found by the volume’s name, whatever path the volume says', () => {
  const elsewhere = { ...own, spec: { ...own.spec, local: { path: '/etc' } } };
  expect(claimDisk({ ...all, volume: elsewhere })).toEqual({
    type: 'ready',
    disk: { volume: own.metadata.name, path: '/data/disk.img' },
  });
});
