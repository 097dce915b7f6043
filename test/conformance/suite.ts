/** The conformance suite: where it is, and running scenarios of it against a bare stack of our own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, connectionOf, type KubeRequest, kubeRequest } from '../../infra/local/kube-client.ts';
import { checkoutFolder } from '../../infra/local/paths.ts';

/** The suite lies beside the checkout on machines that have it. */
export const suiteFolder: string = join(checkoutFolder, '..', 'shared', 'conformance');

export function suiteIsHere(): boolean {
  return existsSync(join(suiteFolder, 'run.mjs'));
}

/** Scenarios that must pass: one file, which only grows. */
export function requiredScenarios(): string[] {
  const text = readFileSync(join(import.meta.dirname, 'scenarios.txt'), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** All scenarios whose name contains the text. */
export function scenariosNamed(text: string): string[] {
  const files = readdirSync(join(suiteFolder, 'scenarios'), { recursive: true }).map(String);
  return files
    .filter((f) => f.endsWith('.mjs') && f.includes(text))
    .map((f) => f.slice(0, -'.mjs'.length))
    .sort();
}

export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
}

/** Starts a bare stack, readies its API server, runs the scenarios, ends the stack. */
export async function runScenarios(scenarios: readonly string[]): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const stack = spawn(process.execPath, [join(checkoutFolder, 'infra', 'local', 'stack.ts'), '--bare'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  stack.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => stack.once('exit', () => resolve()));
  try {
    const first = await Promise.race([firstLine(stack.stdout), ended.then(() => undefined)]);
    if (first === undefined) throw new Error(`the stack did not start:\n${said}`);
    const { kubeconfig } = JSON.parse(first) as { kubeconfig: string };
    for (const scenario of scenarios) {
      const file = `${scenario}.mjs`;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      symlinkSync(join(suiteFolder, 'scenarios', file), join(folder, file));
    }
    await node([join(suiteFolder, 'prepare.mjs'), '--kubeconfig', kubeconfig]);
    await garbageCollectorKnowsKinds(kubeRequest(connectionOf(kubeconfig)));
    const out = join(folder, 'results.json');
    await node([
      join(suiteFolder, 'run.mjs'),
      '--kubeconfig',
      kubeconfig,
      '--scenarios',
      folder,
      '--out',
      out,
      '--verbose',
    ]);
    const results = JSON.parse(readFileSync(out, 'utf8')) as { passed: boolean }[];
    const passed = results.filter((r) => r.passed).length;
    return { passed, failed: scenarios.length - passed };
  } finally {
    stack.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Against hangs only: it takes 30 s at most. */
const HANG_MS = 5 * 60_000;
const policies = '/apis/migrations.kubevirt.io/v1alpha1/migrationpolicies';

/**
 * kube-controller-manager looks every 30 s which kinds there are; before it has seen the new ones it finishes no deletion that
 * orphans (vm/delete has one). An object of a kind that no controller here acts on tells when it has.
 */
async function garbageCollectorKnowsKinds(request: KubeRequest): Promise<void> {
  const name = 'garbage-collector-probe';
  const metadata = { name };
  await request('POST', policies, {
    apiVersion: 'migrations.kubevirt.io/v1alpha1',
    kind: 'MigrationPolicy',
    metadata,
    spec: { selectors: {} },
  });
  await request('DELETE', `${policies}/${name}`, { propagationPolicy: 'Orphan' });
  const deadline = performance.now() + HANG_MS;
  while (await isThere(request, `${policies}/${name}`)) {
    if (performance.now() > deadline) throw new Error('the garbage collector does not finish a deletion that orphans');
    await sleep(200);
  }
}

async function isThere(request: KubeRequest, path: string): Promise<boolean> {
  try {
    await request('GET', path);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error('the stack ended without a word');
}

/** Runs a program of the suite; it says itself what went wrong. */
function node(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
