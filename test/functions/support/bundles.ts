import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../infra/build/project.ts';

/** Builds the bundles unless they are as the sources are. */
export async function buildBundles(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'infra/build/build.ts')]);
}
