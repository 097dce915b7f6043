import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BUNDLES, METAFILES, ROOT } from '../../../infra/build/project.ts';
import { functionEntries } from '../../../infra/build/sources.ts';
import { buildBundles } from '../../functions/support/bundles.ts';

const MAX_BUNDLE_BYTES = 600_000;
const names = [...functionEntries().keys()];

beforeAll(buildBundles);

interface Metafile {
  readonly inputs: Readonly<
    Record<string, { readonly imports: readonly { readonly path: string; readonly external?: boolean }[] }>
  >;
}

describe.each(names)('the bundle of %s', (name) => {
  const metafile = () => JSON.parse(readFileSync(join(METAFILES, `${name}.json`), 'utf8')) as Metafile;

  test('is small', () => {
    expect(statSync(join(BUNDLES, name, 'index.mjs')).size).toBeLessThan(MAX_BUNDLE_BYTES);
  });

  test('has no client of Kubernetes in it', () => {
    const packages = Object.keys(metafile().inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
    expect(packages).not.toContain('@kubernetes/client-node');
    expect(packages).not.toContain('undici');
  });

  test('has nothing of the relay, of the other functions, of tests in it', () => {
    const own = Object.keys(metafile().inputs).filter((path) => !path.startsWith('node_modules/'));
    const allowed = ['core', 'rules', 'launcher-pod', 'http', 'store', name].map((folder) => `functions/${folder}/`);
    expect(own.filter((path) => ![...allowed, 'events/envelope/'].some((folder) => path.startsWith(folder)))).toEqual(
      [],
    );
  });

  test('needs nothing but Node', () => {
    const external = Object.values(metafile().inputs).flatMap((input) =>
      input.imports.filter((i) => i.external === true),
    );
    expect(external.map((i) => i.path).filter((path) => !isBuiltin(path))).toEqual([]);
  });
});

test('there is a bundle of each function and of nothing else', () => {
  expect(readdirSync(BUNDLES).sort()).toEqual(names);
});

// Again if somebody saves a source just then.
test('a build with nothing changed leaves the bundles as they are', { retry: 2 }, async () => {
  const times = () => names.map((name) => statSync(join(BUNDLES, name, 'index.mjs')).mtimeMs);
  const before = times();
  await buildBundles();
  expect(times()).toEqual(before);
  expect(existsSync(join(ROOT, 'dist/meta/sources.sha256'))).toBe(true);
});
