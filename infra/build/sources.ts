import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.ts';

/** All that bundles are made from. */
const SOURCES = ['functions', 'events', 'infra/build/bundle.ts', 'package-lock.json', 'tsconfig.json'];

/** Functions by name: each folder of `functions` that has a `main.ts`. */
export function functionEntries(): ReadonlyMap<string, string> {
  const names = readdirSync(join(ROOT, 'functions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(ROOT, 'functions', entry.name)).includes('main.ts'))
    .map((entry) => entry.name)
    .sort();
  return new Map(names.map((name) => [name, `functions/${name}/main.ts`]));
}

/** A digest of the names and contents of all sources. */
export function sourcesDigest(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesIn).sort()) {
    hash.update(`${file}\0`);
    hash.update(readFileSync(join(ROOT, file)));
    hash.update('\0');
  }
  return hash.digest('hex');
}

function filesIn(path: string): readonly string[] {
  if (path.includes('.')) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}
