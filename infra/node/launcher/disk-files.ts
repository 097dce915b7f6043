import { constants } from 'node:fs';
import { copyFile, mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DiskFile } from './guest-plan.ts';

/** Makes a guest's disks anew: images are copied, never written. */
export async function makeDiskFiles(files: readonly DiskFile[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(file.to), { recursive: true });
    await rm(file.to, { force: true });
    if (file.type === 'copy') {
      await copyFile(file.from, file.to, constants.COPYFILE_FICLONE);
    } else {
      await writeFile(file.to, '');
      await truncate(file.to, file.bytes);
    }
  }
}
