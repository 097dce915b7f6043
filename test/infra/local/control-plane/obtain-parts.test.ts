import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ControlPlaneUnavailable, obtainParts } from '../../../../infra/local/control-plane/obtain-parts.ts';
import { tryLock } from '../../../../infra/local/lock.ts';
import type { Environment } from '../../../../infra/local/paths.ts';
import type { Progress } from '../../../../infra/local/progress.ts';
import { scratchFolder, writeScript } from '../scratch.ts';
import { writeMultiCall, writeParts } from './fake-parts.ts';
import { publish } from './publisher.ts';

const silent = (): void => undefined;
/** Nobody listens there. */
const unreachable = 'http://127.0.0.1:1';
const boundMs = 10_000;

/** No go, nothing in the cache. */
function emptyMachine(folder: string): Environment {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  return {
    PATH: bin,
    HOME: folder,
    VIRT_FUNCTIONS_CACHE: join(folder, 'cache'),
    VIRT_FUNCTIONS_DOWNLOADS: unreachable,
  };
}

async function failure(env: Environment): Promise<Error> {
  const result = await obtainParts(silent, env).catch((error: unknown) => error);
  if (!(result instanceof ControlPlaneUnavailable)) throw new Error(`expected a failure, got ${String(result)}`);
  return result;
}

test('right files are downloaded, verified and found again', async () => {
  const folder = scratchFolder();
  const env = { ...emptyMachine(folder), PATH: process.env.PATH, VIRT_FUNCTIONS_DOWNLOADS: await publish(folder) };
  const reports: Progress[] = [];
  const parts = await obtainParts((progress) => reports.push(progress), env);
  const cache = join(folder, 'cache', 'v1.36.3');
  expect(parts.etcd).toEqual({ file: join(cache, 'etcd'), leading: [] });
  expect(parts.kubectl).toEqual({ file: join(cache, 'kubectl'), leading: [] });
  expect(readdirSync(cache).sort()).toEqual(Object.keys(parts).sort());
  expect(reports.map((progress) => progress.text)).toContain('downloading kubectl: 0 of 0 MB');
  expect(await obtainParts(silent, { ...env, VIRT_FUNCTIONS_DOWNLOADS: unreachable })).toEqual(parts);
});

test('only what is missing is downloaded', async () => {
  const folder = scratchFolder();
  const assets = join(folder, 'assets');
  writeParts(assets, ['etcd', 'kube-apiserver', 'kubectl']);
  const downloads = await publish(folder, { etcd: 'wrong' });
  const env = { ...emptyMachine(folder), KUBEBUILDER_ASSETS: assets, VIRT_FUNCTIONS_DOWNLOADS: downloads };
  expect((await obtainParts(silent, env)).etcd.file).toBe(join(assets, 'etcd'));
  expect(readdirSync(join(folder, 'cache', 'v1.36.3')).sort()).toEqual(['kube-controller-manager', 'kube-scheduler']);
});

test.each([
  ['wrong', 'does not match its checksum'],
  ['truncated', 'broke off after'],
] as const)('a %s file never enters the cache', async (fault, words) => {
  for (const name of ['etcd', 'kube-scheduler'] as const) {
    const folder = scratchFolder();
    const env = { ...emptyMachine(folder), VIRT_FUNCTIONS_DOWNLOADS: await publish(folder, { [name]: fault }) };
    const error = await failure({ ...env, KUBEBUILDER_ASSETS: partsBut(folder, name) });
    expect(error.message).toContain(words);
    expect(readdirSync(join(folder, 'cache', 'v1.36.3'))).toEqual([]);
  }
});

function partsBut(folder: string, missing: string): string {
  const assets = join(folder, 'assets');
  const names = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const;
  writeParts(
    assets,
    names.filter((name) => name !== missing),
  );
  return assets;
}

test('nothing possible: one line with the remedies, within the bound', async () => {
  const startedAt = performance.now();
  const error = await failure(emptyMachine(scratchFolder()));
  expect(performance.now() - startedAt).toBeLessThan(boundMs);
  expect(error.message).not.toContain('\n');
  for (const words of ['no etcd, kube-apiserver', 'not reachable', 'no go command', 'KUBEBUILDER_ASSETS', 'Go 1.26']) {
    expect(error.message).toContain(words);
  }
});

test('nothing possible and everything hangs: still within the bound', async () => {
  const folder = scratchFolder();
  // Takes connections and never answers.
  const server = createServer(() => undefined);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
  });
  const env = emptyMachine(folder);
  writeScript(join(folder, 'bin', 'go'), '/bin/sleep 1000');
  const downloads = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const startedAt = performance.now();
  const error = await failure({ ...env, VIRT_FUNCTIONS_DOWNLOADS: downloads });
  expect(performance.now() - startedAt).toBeLessThan(boundMs);
  expect(error.message).toContain('the go command reports no version');
});

test('a Go that is too old is named, and one without a module proxy', async () => {
  const folder = scratchFolder();
  const env = emptyMachine(folder);
  writeScript(join(folder, 'bin', 'go'), 'echo go version go1.25.9 linux/amd64');
  expect((await failure(env)).message).toContain('the go command is 1.25.9, needed is 1.26');
  writeScript(join(folder, 'bin', 'go'), '[ "$1" = version ] && echo go version go1.27.1 linux/amd64 || exit 1');
  expect((await failure(env)).message).toContain('go cannot reach its module proxy');
});

test('what Go builds enters the cache when it is whole', async () => {
  const folder = scratchFolder();
  const env = { ...emptyMachine(folder), PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  writeMultiCall(join(folder, 'built'));
  // What a build that was killed long ago has left.
  const leftover = join(folder, 'cache', 'v1.36.3', 'control-plane.1.part');
  writeScript(leftover, '');
  utimesSync(leftover, 0, 0);
  // Stands in for the Go command: this is about what happens around it.
  const build = `while [ "$1" != -o ]; do shift; done; echo runtime >&2; echo main >&2; cp ${folder}/built "$2"`;
  writeScript(
    join(folder, 'bin', 'go'),
    `case "$1" in version) echo go version go1.26.0 linux/amd64;; list) echo runtime; echo main; echo last;; build) ${build};; esac`,
  );
  const reports: string[] = [];
  const parts = await obtainParts((progress) => reports.push(progress.text), env);
  expect(parts.etcd).toEqual({ file: join(folder, 'cache', 'v1.36.3', 'control-plane'), leading: ['etcd'] });
  expect(readdirSync(join(folder, 'cache', 'v1.36.3'))).toEqual(['control-plane']);
  expect(reports).toContain('building with Go 1.26.0: compiled 2 of 3 packages, 0 s');
});

test('a build that fails leaves its output in a file that the error names', async () => {
  const folder = scratchFolder();
  const env = emptyMachine(folder);
  writeScript(
    join(folder, 'bin', 'go'),
    'case "$1" in version) echo go version go1.26.0 linux/amd64;; list) echo a;; build) echo "no space left" >&2; exit 1;; esac',
  );
  const { message } = await failure(env);
  const log = join(folder, 'cache', 'v1.36.3', 'build.log');
  expect(message).toContain(`the build failed: no space left (all of it in ${log})`);
  expect(existsSync(log)).toBe(true);
});

test('a second process waits for the first and takes what it made', async () => {
  const folder = scratchFolder();
  const env = emptyMachine(folder);
  const lock = await tryLock('control-plane', join(folder, 'cache', 'v1.36.3'));
  if (lock.kind !== 'held') throw new Error('the lock should be free');
  const reports: string[] = [];
  const parts = await obtainParts((progress) => {
    reports.push(progress.text);
    writeMultiCall(join(folder, 'cache', 'v1.36.3', 'control-plane'));
    void lock.lock.release();
  }, env);
  expect(reports).toEqual([`waiting for process ${process.pid}, which is getting it`]);
  expect(parts.etcd.leading).toEqual(['etcd']);
});
