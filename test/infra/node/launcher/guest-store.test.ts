import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GuestStore } from '../../../../infra/node/launcher/guest-store.ts';
import { newRecord } from '../../../../infra/node/launcher/launcher-pod.ts';
import { launcherPod } from './objects.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vf-store-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const claim = (volume: string) => ({ volume, path: `/data/volumes/${volume}/disk.img` });
const disk = { path: '/data', target: 'sda', format: 'raw', device: 'disk', bus: 'scsi', readOnly: false } as const;

test('a volume is in use from its pod’s record on, or from being plugged in, until the guest’s end is told', () => {
  const store = new GuestStore(folder);
  const record = newRecord(launcherPod('vm', 'vmi-1'), '10.244.0.2', { images: {}, claims: { data: claim('pvc-1') } });
  const plugged = { extra: { claim: claim('pvc-2'), disk } };
  const used = (s: GuestStore) => ['pvc-1', 'pvc-2'].map((volume) => s.hasVolume(volume));
  expect(used(store)).toEqual([false, false]);
  store.put(record);
  expect(used(store)).toEqual([true, false]);
  store.put({ ...record, plugged });
  expect(used(new GuestStore(folder))).toEqual([true, true]);
  store.put({ ...record, plugged, outcome: { phase: 'Succeeded', message: '' } });
  expect(used(store)).toEqual([true, true]);
  store.put({ ...record, plugged, outcome: { phase: 'Succeeded', message: '' }, reported: true });
  expect(used(store)).toEqual([false, false]);
});

test('records of earlier versions are taken', () => {
  const guest = join(folder, 'guests', 'p');
  mkdirSync(guest, { recursive: true });
  writeFileSync(join(guest, 'record.json'), JSON.stringify({ podUid: 'p', domain: 'd' }));
  expect(new GuestStore(folder).get('p')).toMatchObject({ domain: 'd', images: {}, claims: {}, plugged: {} });
});
