import { accessSync, constants } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForLock } from '../lock.ts';
import { type Environment, makeFolders } from '../paths.ts';
import type { Report } from '../progress.ts';
import { BuildFailed } from './build-failed.ts';
import { buildParts } from './build-parts.ts';
import { DownloadFailed } from './download.ts';
import { downloadParts } from './download-parts.ts';
import { type Findings, findParts, partsFolder } from './find-parts.ts';
import { neededGoVersion } from './go.ts';
import { isComplete, kubernetesVersion, missingFrom, type Parts } from './parts.ts';

const leftoverAfterMs = 3600_000;

/** No way to a control plane works on this machine. The message is one line: what is missing, why, the remedies. */
export class ControlPlaneUnavailable extends Error {
  constructor(text: string) {
    super(text.replaceAll(/\s+/g, ' '));
    this.name = 'ControlPlaneUnavailable';
  }

  static noWay(missing: readonly string[], reasons: readonly string[]): ControlPlaneUnavailable {
    const line = kubernetesVersion.split('.').slice(0, 2).join('.');
    const remedies = [
      `set KUBEBUILDER_ASSETS to a folder with these programs of the ${line} line`,
      'connect this machine to the internet (HTTPS_PROXY is followed)',
      `install Go ${neededGoVersion()} or newer, or Python 3 with pip, with access to a module proxy`,
    ];
    const text = `no ${missing.join(', ')}: ${reasons.join('; ')}. Remedies: ${remedies.join(', or ')}.`;
    return new ControlPlaneUnavailable(text);
  }
}

/**
 * The five parts of a control plane: found in KUBEBUILDER_ASSETS or the cache, else downloaded, else built
 * (design section 7). One process at a time downloads or builds; a second waits and then finds what the first made.
 *
 * @throws ControlPlaneUnavailable within 10 s when nothing is possible.
 */
export async function obtainParts(report: Report, env: Environment = process.env): Promise<Parts> {
  const first = await findParts(env);
  if (isComplete(first.parts)) return first.parts;
  let waited = false;
  const lock = await waitForLock('control-plane', partsFolder(env), (pid) => {
    waited = true;
    report({ step: 'control plane', text: `waiting for process ${pid ?? 'unknown'}, which is getting it` });
  });
  try {
    return await getMissing(waited ? await findParts(env) : first, report, env);
  } finally {
    await lock.release();
  }
}

async function getMissing(before: Findings, report: Report, env: Environment): Promise<Parts> {
  checkCache(env);
  await removeLeftovers(env);
  let found = before;
  const reasons = [...found.rejected];
  const ways: ((missing: Findings) => Promise<void>)[] = [
    ({ parts }) => downloadParts(missingFrom(parts), env, report),
    () => buildParts(env, report),
  ];
  for (const way of ways) {
    if (isComplete(found.parts)) return found.parts;
    try {
      await way(found);
      found = await findParts(env);
      reasons.push(...found.rejected.filter((reason) => !reasons.includes(reason)));
    } catch (error) {
      if (!(error instanceof DownloadFailed || error instanceof BuildFailed)) throw error;
      reasons.push(error.message);
      report({ step: 'control plane', text: error.message });
    }
  }
  if (isComplete(found.parts)) return found.parts;
  throw ControlPlaneUnavailable.noWay(missingFrom(found.parts), reasons);
}

/** @throws ControlPlaneUnavailable when nothing can be put into the cache */
function checkCache(env: Environment): void {
  const folder = partsFolder(env);
  try {
    makeFolders(folder);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ControlPlaneUnavailable(`the cache cannot be written (VIRT_FUNCTIONS_CACHE sets another): ${why}`);
  }
}

/** What downloads and builds that were killed left behind; young files may belong to one in another container. */
async function removeLeftovers(env: Environment): Promise<void> {
  const folder = partsFolder(env);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((entry) => entry.includes('.part'))) {
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > leftoverAfterMs) await rm(join(folder, name), { recursive: true, force: true });
  }
}
