/** The Go tools on this machine, as far as building the control plane needs them. */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheRoot, type Environment } from '../paths.ts';
import { run } from '../processes/run.ts';

export const moduleFolder: string = fileURLToPath(new URL('module', import.meta.url));

export interface GoCommand {
  /** A path, or a name that is looked for. */
  readonly command: string;
  /** GOROOT; absent: where the command itself says that it is. */
  readonly root?: string;
}

/** A Go that is new enough. */
export interface Go extends GoCommand {
  readonly version: string;
}

export const systemGo: GoCommand = { command: 'go' };

export type GoCheck =
  | { readonly kind: 'usable'; readonly go: Go }
  /** One clause that says why not. */
  | { readonly kind: 'unusable'; readonly reason: string };

const versionLimitMs = 2_500;
const proxyLimitMs = 3_000;

/** A small module that every build needs: whether it can be had tells whether the module proxy can be reached. */
const probeModule = 'k8s.io/component-base@v0.36.3';

/** The Go version that module/go.mod asks for, without the patch: `1.26`. */
export function neededGoVersion(): string {
  const line = /^go (\d+\.\d+)/m.exec(readFileSync(join(moduleFolder, 'go.mod'), 'utf8'))?.[1];
  if (!line) throw new Error('go.mod names no Go version');
  return line;
}

/**
 * The environment for Go: its caches in the project's, nothing downloaded but modules, nothing written to go.mod.
 * Settings that would build for another machine are left out; those that say where modules come from are kept.
 */
export function goEnvironment({ root }: GoCommand, env: Environment): NodeJS.ProcessEnv {
  const { GOOS: _system, GOARCH: _processor, GOEXPERIMENT: _experiment, ...rest } = env;
  const cache = join(cacheRoot(env), 'go');
  return {
    ...rest,
    ...(root === undefined ? {} : { GOROOT: root }),
    GOMODCACHE: join(cache, 'mod'),
    GOCACHE: join(cache, 'build'),
    GOPATH: join(cache, 'path'),
    GOFLAGS: '-mod=readonly',
    GOTOOLCHAIN: 'local',
    GOWORK: 'off',
    GO111MODULE: 'on',
    CGO_ENABLED: '0',
  };
}

/** Whether there is such a Go, and it is new enough. */
export async function checkGo(go: GoCommand, env: Environment): Promise<GoCheck> {
  const needed = neededGoVersion();
  const result = await run(go.command, ['version'], { env: goEnvironment(go, env), timeLimitMs: versionLimitMs });
  if (result.kind === 'not started') return { kind: 'unusable', reason: 'there is no go command' };
  const version = result.kind === 'exited' ? /^go version go(\d+\.\d+\S*)/.exec(result.stdout)?.[1] : undefined;
  if (!version) return { kind: 'unusable', reason: 'the go command reports no version' };
  if (isOlder(version, needed))
    return { kind: 'unusable', reason: `the go command is ${version}, needed is ${needed}` };
  return { kind: 'usable', go: { ...go, version } };
}

/** Asks Go for one small module, with a short limit: a build without a network would try for minutes. */
export async function reachesModuleProxy(go: Go, env: Environment): Promise<boolean> {
  const args = ['list', '-m', probeModule];
  const goEnv = { ...goEnvironment(go, env), GOFLAGS: '-mod=mod' };
  const result = await run(go.command, args, { env: goEnv, cwd: tmpdir(), timeLimitMs: proxyLimitMs });
  return result.kind === 'exited' && result.code === 0;
}

function isOlder(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
}
