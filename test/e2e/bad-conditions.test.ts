/** What is wrong with folders and disks is told in one line, with an exit code, and nothing is left running. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkoutFolder } from '../../infra/local/paths.ts';
import { until } from './support/cluster-player.ts';
import { killAllOf, processesOf } from './support/processes-of.ts';
import { startProgram } from './support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'vfb-'));
/** Kept by a start that ended well. */
const kept = join(folder, 'kept');
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
const unless = mayMount ? '' : ' (skipped: no mount namespaces for this user)';

afterAll(() => {
  killAllOf(folder);
  rmSync(folder, { recursive: true, force: true });
});

const program = (name: string): string => join(checkoutFolder, 'infra', 'local', name);

/** The lines of a start that fails. */
async function failure(
  env: Readonly<Record<string, string>>,
  before = '',
  file = 'start.ts',
  ...args: string[]
): Promise<string> {
  // For root no permission is missing: what can't be written has to be mounted so, where nobody else sees it.
  const run =
    before === ''
      ? startProgram(process.execPath, [program(file), ...args], env)
      : startProgram(
          'unshare',
          ['--mount', 'sh', '-ec', `${before}; exec "$0" "$@"`, process.execPath, program(file), ...args],
          env,
        );
  expect(await run.exited).toBe(1);
  await until('nothing left', () => processesOf(folder).length === 0);
  const said = run.stdout() + run.stderr();
  expect(said).not.toMatch(/^ +at /m);
  return said;
}

test('the data folder cannot be made', async () => {
  writeFileSync(join(folder, 'file'), '');
  for (const data of [join(folder, 'file', 'd'), '/proc/vfb/d']) {
    expect(await failure({ VIRT_FUNCTIONS_DATA: data })).toMatch(/^start: the data folder cannot be used .*\n$/);
  }
});

test.skipIf(!mayMount)(
  `data or temporary folder on a read-only disk, cache as well while it is empty${unless}`,
  async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    const readOnly = `mount -t tmpfs -o ro tmpfs ${disk}`;
    const data = join(folder, 'd1');
    expect(await failure({ VIRT_FUNCTIONS_DATA: disk }, readOnly)).toMatch(
      /^start: the data folder cannot be used .*EROFS.*\n$/,
    );
    expect(await failure({ VIRT_FUNCTIONS_DATA: data, VIRT_FUNCTIONS_CACHE: disk }, readOnly)).toMatch(
      /the cache cannot be written \(VIRT_FUNCTIONS_CACHE sets another\): EROFS.*\n/,
    );
    expect(await failure({ TMPDIR: disk, VIRT_FUNCTIONS_DATA: folder }, readOnly, 'stack.ts', '--bare')).toMatch(
      /^stack: no folder for its data can be made .*EROFS.*\n$/,
    );
  },
);

test.skipIf(!mayMount)(`a disk that is too small${unless}`, async () => {
  const disk = join(folder, 'small');
  mkdirSync(disk);
  const small = `mount -t tmpfs -o size=50m tmpfs ${disk}`;
  const words = /^(start|stack): the disk that holds \S+ has 52 MB left, and the stack needs 256 MB\n$/;
  expect(await failure({ VIRT_FUNCTIONS_DATA: join(disk, 'd') }, small)).toMatch(words);
  expect(await failure({ TMPDIR: disk, VIRT_FUNCTIONS_DATA: folder }, small, 'stack.ts', '--bare')).toMatch(words);
});

test('the data of etcd or table cannot be read any more', async () => {
  const first = startProgram(process.execPath, [program('start.ts')], { VIRT_FUNCTIONS_DATA: kept });
  await first.says('table          ready');
  first.process.kill('SIGTERM');
  await first.exited;
  const table = join(kept, 'table');
  const manifest = readdirSync(table).find((name) => name.startsWith('MANIFEST')) ?? '';
  writeFileSync(join(table, manifest), 'garbage');
  expect(await failure({ VIRT_FUNCTIONS_DATA: kept })).toContain(
    `the data in ${table} cannot be used (Database is closed); npm start -- --reset deletes all data\n`,
  );
  writeFileSync(join(kept, 'etcd', 'member', 'snap', 'db'), 'garbage'.repeat(10_000));
  expect(await failure({ VIRT_FUNCTIONS_DATA: kept })).toMatch(
    /the data in \S+\/etcd cannot be used \(etcd ended with code \d, log: \S+\); npm start -- --reset deletes all data\n/,
  );
});
