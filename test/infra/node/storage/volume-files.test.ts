import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NoRoom, VolumeFiles } from '../../../../infra/node/storage/volume-files.ts';

let folder: string;
let files: VolumeFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vf-volumes-'));
  files = new VolumeFiles(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a disk is sparse, of whole blocks, and stays as it is when it is made again', async () => {
  await files.make('pvc-1', 10_000_000);
  const { size, blocks } = statSync(files.diskOf('pvc-1'));
  expect([size % 4096, size >= 10_000_000, blocks * 512 < size]).toEqual([0, true, true]);
  writeFileSync(files.diskOf('pvc-1'), 'content');
  await files.make('pvc-1', 10_000_000);
  expect(statSync(files.diskOf('pvc-1')).size).toBe(7);
});

test('one whose making was interrupted is made anew', async () => {
  mkdirSync(files.folderOf('pvc-1'), { recursive: true });
  writeFileSync(`${files.diskOf('pvc-1')}.new`, '');
  expect(files.has('pvc-1')).toBe(false);
  await files.make('pvc-1', 8192);
  expect(statSync(files.diskOf('pvc-1')).size).toBe(8192);
});

test('what all disks may grow to has to fit', async () => {
  const { bavail, bsize } = statfsSync(folder);
  const most = Math.floor(bavail * bsize * 0.7);
  await files.make('pvc-1', most);
  await expect(files.make('pvc-2', most)).rejects.toThrow(NoRoom);
  expect(existsSync(files.folderOf('pvc-2'))).toBe(false);
  await files.remove('pvc-1');
  const both = await Promise.allSettled([files.make('pvc-2', most), files.make('pvc-3', most)]);
  expect(both.map((r) => r.status)).toEqual(['fulfilled', 'rejected']);
});

test('one is known as unannounced until it is announced', async () => {
  await files.make('pvc-1', 4096);
  await files.make('pvc-2', 4096);
  await files.announced('pvc-1');
  expect(await files.unannounced()).toEqual(['pvc-2']);
  expect(await new VolumeFiles(folder).unannounced()).toEqual(['pvc-2']);
});

test('names that lead elsewhere are none', () => {
  expect(files.has('../images')).toBe(false);
  expect(() => files.folderOf('../images')).toThrow(/no name/);
});
