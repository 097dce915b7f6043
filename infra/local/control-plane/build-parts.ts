import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../paths.ts';
import { type RunResult, run } from '../processes/run.ts';
import { elapsed, type Report } from '../progress.ts';
import { partsFolder } from './find-parts.ts';
import { checkGo, goEnvironment, moduleFolder, reachesModuleProxy } from './go.ts';
import { etcdVersion, kubernetesVersion, multiCallName } from './parts.ts';

/** Against a build that hangs only: one takes five minutes on two cores, longer on a slow network. */
const buildLimitMs = 60 * 60_000;

/** The build is not possible here, or failed. One line. */
export class BuildFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'BuildFailed';
  }
}

/**
 * Builds the multi-call binary from the Go module proxy into the cache, where it appears when it is whole.
 *
 * @throws BuildFailed within seconds where Go or the network is missing.
 */
export async function buildParts(env: Environment, report: Report): Promise<void> {
  const go = await checkGo(env);
  if (go.kind === 'unusable') throw new BuildFailed(go.reason);
  const startedAt = performance.now();
  let latest = 'looking for modules';
  const show = (text = latest): void => {
    latest = text;
    report({ step: 'control plane', text: `building with Go ${go.version}: ${text}, ${elapsed(startedAt)}` });
  };
  // Linking, and single large modules and packages, take a while in which nothing else is to be said.
  const clock = setInterval(() => show(), 1000);
  try {
    await build(env, show);
  } finally {
    clearInterval(clock);
  }
}

async function build(env: Environment, show: (text: string) => void): Promise<void> {
  const packages = await listPackages(env, show);
  const folder = partsFolder(env);
  await mkdir(folder, { recursive: true });
  const partial = join(folder, `${multiCallName}.${process.pid}.part`);
  let compiled = 0;
  show(`compiling ${packages} packages`);
  const args = ['build', '-v', '-trimpath', '-ldflags', linkerFlags(), '-o', partial, '.'];
  try {
    const result = await run('go', args, {
      env: goEnvironment(env),
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
async function listPackages(env: Environment, show: (text: string) => void): Promise<number> {
  const list = (goEnv: NodeJS.ProcessEnv): Promise<RunResult> => {
    let downloads = 0;
    return run('go', ['list', '-deps', '.'], {
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
  const goEnv = goEnvironment(env);
  let result = await list({ ...goEnv, GOPROXY: 'off' });
  if (result.kind !== 'exited' || result.code !== 0) {
    if (!(await reachesModuleProxy(env))) throw new BuildFailed('go cannot reach its module proxy');
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
