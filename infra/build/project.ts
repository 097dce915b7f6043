import { resolve } from 'node:path';

/** The project's folder. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Where the built functions are: `<name>/index.mjs`. */
export const BUNDLES = resolve(ROOT, 'dist/functions');

/** What went into each bundle, by esbuild's own account: `<name>.json`. */
export const METAFILES = resolve(ROOT, 'dist/meta');

/** The relay in one file. It would run from its sources too, at twice the memory: most of its packages are not needed whole. */
export const RELAY_BUNDLE = resolve(ROOT, 'dist/relay/index.mjs');
