import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { BUNDLES, METAFILES, ROOT } from './project.ts';

/** ESM has no `require`, which CommonJS packages inside a bundle may call. */
const BANNER = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

export interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly sizeBytes: number;
}

/**
 * One function as one ESM file with everything in it. `module` before `main` makes it a third smaller. Written aside and moved
 * into place, so that a process that starts just then reads the old file or the new one.
 */
export async function bundle(name: string, entry: string, file = resolve(BUNDLES, name, 'index.mjs')): Promise<Bundle> {
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: file,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: BANNER },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`no bundle made of ${entry}`);
  await replaceFile(file, output.contents);
  await replaceFile(resolve(METAFILES, `${name}.json`), JSON.stringify(metafile));
  return { name, file, sizeBytes: output.contents.length };
}

async function replaceFile(file: string, contents: Uint8Array | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, contents);
  await rename(aside, file);
}
