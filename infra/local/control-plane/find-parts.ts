import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheRoot, type Environment } from '../paths.ts';
import { checkVersion } from './part-version.ts';
import { type Command, kubernetesVersion, multiCallName, type PartName, type Parts, partNames } from './parts.ts';

export interface Findings {
  readonly parts: Partial<Parts>;
  /** Why files that were there are not used, a line each. */
  readonly rejected: readonly string[];
}

/** The folder of the cache that holds downloaded and built parts. */
export function partsFolder(env: Environment): string {
  return join(cacheRoot(env), kubernetesVersion);
}

/** Looks for each part in KUBEBUILDER_ASSETS, then in the cache; takes it if it reports the right version. */
export async function findParts(env: Environment): Promise<Findings> {
  const found: Partial<Record<PartName, Command>> = {};
  const rejected: string[] = [];
  const find = async (name: PartName): Promise<void> => {
    for (const command of candidates(name, env)) {
      const check = await checkVersion(name, command);
      if (check.kind === 'right') {
        found[name] = command;
        return;
      }
      rejected.push(`${command.file} ${check.kind === 'wrong' ? `is ${name} ${check.version}` : check.reason}`);
    }
  };
  await Promise.all(partNames.map(find));
  return { parts: found, rejected };
}

function candidates(name: PartName, env: Environment): Command[] {
  const cache = partsFolder(env);
  return [
    ...(env.KUBEBUILDER_ASSETS ? [{ file: resolve(env.KUBEBUILDER_ASSETS, name), leading: [] }] : []),
    { file: join(cache, name), leading: [] },
    { file: join(cache, multiCallName), leading: [name] },
  ].filter((command) => isExecutable(command.file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
