/** Builds the bundles of all functions and of the relay; says nothing and does nothing while the sources are as they were. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { BUNDLES, METAFILES, RELAY_BUNDLE } from './project.ts';
import { functionEntries, sourcesDigest } from './sources.ts';

const STAMP = join(METAFILES, 'sources.sha256');

const entries = functionEntries();
const digest = sourcesDigest();
if (!isBuilt()) await build();

async function build(): Promise<void> {
  const functions = [...entries].map(([name, entry]) => bundle(name, entry));
  const relay = bundle('relay', 'events/relay/main.ts', RELAY_BUNDLE);
  const bundles = await Promise.all([...functions, relay]).catch(() => undefined);
  // esbuild has said what is wrong and where.
  if (bundles === undefined) process.exit(1);
  removeBundlesOfOthers();
  writeFileSync(STAMP, digest);
  const sizes = bundles.map(({ name, sizeBytes }) => `${name} ${Math.round(sizeBytes / 1000)} kB`);
  process.stderr.write(`built ${sizes.join(', ')}\n`);
}

function isBuilt(): boolean {
  return (
    existsSync(STAMP) &&
    readFileSync(STAMP, 'utf8') === digest &&
    existsSync(RELAY_BUNDLE) &&
    [...entries.keys()].every((name) => existsSync(join(BUNDLES, name, 'index.mjs')))
  );
}

/** Of functions that are no more. */
function removeBundlesOfOthers(): void {
  for (const name of readdirSync(BUNDLES)) {
    if (entries.has(name)) continue;
    rmSync(join(BUNDLES, name), { recursive: true });
    rmSync(join(METAFILES, `${name}.json`), { force: true });
  }
}
