import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUNDLES } from '../../build/project.ts';
import { functionEntries } from '../../build/sources.ts';
import { freePort } from '../control-plane/free-port.ts';
import { checkoutFolder } from '../paths.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import { KeptRunning } from './kept-running.ts';
import { leanNode } from './node-options.ts';

export interface RunningFunctions {
  readonly url: string;
  readonly process: KeptRunning;
}

/** Against hangs only. */
const READY_LIMIT_MS = 2 * 60_000;

/** All functions from their bundles, in one process, on a port that they keep when they are started again. */
export async function startFunctions(
  supervisor: Supervisor,
  environment: Readonly<Record<string, string>>,
  tell: (text: string) => void,
): Promise<RunningFunctions> {
  const bundles = [...functionEntries().keys()].map((name) => join(BUNDLES, name, 'index.mjs'));
  const missing = bundles.find((bundle) => !existsSync(bundle));
  if (missing !== undefined) throw new Error(`${missing} is missing: run npm run build`);
  const port = await freePort();
  const program = join(checkoutFolder, 'infra', 'local', 'functions-host.ts');
  const spec = {
    name: 'functions',
    file: process.execPath,
    args: [...leanNode, program, '--port', String(port), ...bundles],
    env: { ...process.env, ...environment },
    stage: 'functions' as const,
  };
  const kept = await KeptRunning.start(supervisor, spec, tell);
  const url = `http://127.0.0.1:${port}`;
  await kept.once(untilAnswers(url, () => kept.process.logFile));
  return { url, process: kept };
}

async function untilAnswers(url: string, logFile: () => string): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!(await answers(url))) {
    if (performance.now() > deadline) throw new Error(`the functions do not answer (log: ${logFile()})`);
    await sleep(30);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}
