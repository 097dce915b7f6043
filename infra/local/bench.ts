/**
 * `npm run bench [-- --quiet-minutes 10] [--only TEXT]`: the figures of README, measured on a bare stack of its own with the bench
 * that lies beside the checkout. Prints a Markdown table and what stands beside it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BUNDLES } from '../build/project.ts';
import { freePort } from './control-plane/free-port.ts';
import { checkoutFolder } from './paths.ts';
import { Supervisor } from './processes/supervisor.ts';
import { type Stack, startStack } from './stack/stack.ts';

interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** One line of the bench. */
interface Result {
  readonly kind: string;
  readonly count: number;
  readonly seconds: { readonly allPods: number; readonly allRunning: number; readonly allGone: number };
  readonly ms: { readonly podCreated: Percentiles; readonly scheduled: Percentiles };
  readonly othersRequestsPerObject: { readonly up: number; readonly all: number };
  readonly writesWhileQuiet: number | null;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly failureCount: number;
}

const shared = join(checkoutFolder, '..', 'shared');
const program = join(shared, 'bench', 'bench.mjs');
const runs: readonly (readonly [string, readonly string[]])[] = [
  ['VMI, 4 a second, 40', ['--rate', '4', '--count', '40', '--parallel', '4']],
  ['VMI, burst 100', ['--count', '100']],
  ['VMI, burst 500', ['--count', '500']],
  ['VMI, burst 1,000', ['--count', '1000']],
  ['VM, 4 a second, 40', ['--kind', 'vm', '--rate', '4', '--count', '40', '--parallel', '4']],
  ['VM, burst 100', ['--kind', 'vm', '--count', '100']],
];
const STARTS = 5;
/** The function's process is asked this often until it answers. */
const POLL_MS = 2;

const { values } = parseArgs({
  options: { 'quiet-minutes': { type: 'string', default: '0' }, only: { type: 'string', default: '' } },
});
if (!existsSync(program)) {
  process.stderr.write(`bench: it is not on this machine (${program})\n`);
  process.exit(2);
}
const say = (text: string): void => void process.stdout.write(`${text}\n`);

say(
  `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, everything on this machine; Node ${process.version}\n`,
);
say(
  "| run | podCreated p50 / p95 ms | scheduled p50 / p95 ms | all pods s | all running s | all gone s | others' API requests per object, up / whole life | table reads / writes per object | CPU s | peak MiB |",
);
say('|---|---|---|---|---|---|---|---|---|---|');
for (const [name, args] of runs) {
  if (!name.includes(values.only)) continue;
  // A stack for each run: peaks and caches of one are not the next one's.
  await withStack(async (stack) => {
    const before = tableUse(stack);
    const result = await measure(stack, args);
    const after = tableUse(stack);
    const { ms, seconds: s, othersRequestsPerObject: r } = result;
    const single = name.includes('a second');
    const cells = [
      name,
      `${ms.podCreated.p50} / ${ms.podCreated.p95}`,
      `${ms.scheduled.p50} / ${ms.scheduled.p95}`,
      single ? '-' : s.allPods,
      single ? '-' : s.allRunning,
      s.allGone,
      `${r.up} / ${r.all}`,
      `${((after.reads - before.reads) / result.count).toFixed(1)} / ${((after.writes - before.writes) / result.count).toFixed(1)}`,
      result.cpuSeconds,
      result.peakMiB,
    ];
    say(`| ${cells.join(' | ')} |${result.failureCount > 0 ? ` ${result.failureCount} failures` : ''}`);
  });
}
say('');
for (const name of readdirSync(BUNDLES).sort()) {
  say(`bundle ${name}: ${Math.round(statSync(join(BUNDLES, name, 'index.mjs')).size / 1000)} kB`);
}
say(`start of a function's process to its first answer, median of ${STARTS}: ${await startMs()} ms`);
const minutes = Number(values['quiet-minutes']);
if (minutes > 0) {
  await withStack(async (stack) => {
    const before = tableUse(stack);
    const result = await measure(stack, ['--count', '100', '--hold', String(minutes * 60)]);
    say(`writes in ${minutes} quiet minutes with 100 running VMIs, leases aside: ${result.writesWhileQuiet}`);
    say(`the table meanwhile and before and after: ${JSON.stringify({ before, after: tableUse(stack) })}`);
  });
}
process.exit(0);

async function withStack(use: (stack: Stack) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
  const logs = join(dataDir, 'logs');
  mkdirSync(logs);
  const stack = await startStack({
    dataDir,
    data: 'throw-away',
    scheduler: false,
    launcherImage: 'registry.example/virt-launcher:v1',
    exporterImage: 'registry.example/virt-exportserver:v1',
    supervisor: new Supervisor(logs),
    report: () => undefined,
    tell: () => undefined,
  });
  try {
    await run([join(shared, 'conformance', 'prepare.mjs'), '--kubeconfig', stack.kubeconfigPath]);
    await stack.relay.leading;
    await use(stack);
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(stack: Stack, args: readonly string[]): Promise<Result> {
  const pids = [...stack.relay.processes, stack.functions.process].map((kept) => kept.process.pid).join();
  const out = await run([program, '--kubeconfig', stack.kubeconfigPath, '--pids', pids, ...args]);
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as Result;
}

/** Reads and writes of rows of keys; the lease's renewals are updates, and the only ones. */
function tableUse({ table }: Stack): { reads: number; writes: number } {
  const { BatchGetItem = 0, GetItem = 0, PutItem = 0, DeleteItem = 0 } = table.operations();
  return { reads: BatchGetItem + GetItem, writes: PutItem + DeleteItem };
}

/** Milliseconds from the start of a function's process until it has answered. */
async function startMs(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const port = await freePort();
    const env = {
      ...process.env,
      VIRT_FUNCTIONS_TABLE: 'none',
      VIRT_FUNCTIONS_SIGNING_KEYS: 'k'.repeat(32),
      AWS_REGION: 'local',
    };
    const startedAt = performance.now();
    const child = spawn(process.execPath, [join(BUNDLES, 'vmi', 'index.mjs'), '--port', String(port)], {
      env,
      stdio: 'ignore',
    });
    while (!(await answers(port))) await sleep(POLL_MS);
    times.push(performance.now() - startedAt);
    child.kill('SIGKILL');
  }
  return Math.round(times.sort((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0);
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    return false;
  }
}

/** Runs a program to its end; its standard output. The table lives in this process, so nothing here may block. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', () => resolve(out));
  });
}
