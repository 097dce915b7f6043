import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.ts';

interface PackageFile {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Packages of `package.json`, as `name@version`, that are not installed in that very version. All are pinned. */
export function missingPackages(root: string = ROOT): string[] {
  const { dependencies, devDependencies } = read(join(root, 'package.json'));
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name, version]) => {
      const file = join(root, 'node_modules', name, 'package.json');
      return !existsSync(file) || read(file).version !== version;
    })
    .map(([name, version]) => `${name}@${version}`);
}

function read(file: string): PackageFile {
  return JSON.parse(readFileSync(file, 'utf8')) as PackageFile;
}
