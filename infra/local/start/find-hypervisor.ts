/**
 * Finds out what runs guests here. The probe boots guests: it runs in a process of its own, which the guard ends with all that
 * it has started, should this process be killed meanwhile.
 */
import { fileURLToPath } from 'node:url';
import type { Probe } from '../../node/hypervisor/probe.ts';
import { run } from '../processes/run.ts';

const program = fileURLToPath(new URL('find-hypervisor-main.ts', import.meta.url));
/** Against hangs only: the probe has limits of its own. */
const LIMIT_MS = 5 * 60_000;

/** @param nodeFolder of the node agent, which then finds the answer there */
export async function findHypervisor(nodeFolder: string): Promise<Probe> {
  const result = await run(process.execPath, [program, nodeFolder], { timeLimitMs: LIMIT_MS });
  if (result.kind === 'exited' && result.code === 0) return JSON.parse(result.stdout) as Probe;
  const words = 'stderr' in result ? result.stderr.trim().split('\n').at(-1) : result.reason;
  throw new Error(`cannot find out what runs guests here: ${words || result.kind}`);
}
