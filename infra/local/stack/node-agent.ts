import { join } from 'node:path';
import type { HypervisorKind } from '../../node/hypervisor/hypervisor.ts';
import { checkoutFolder } from '../paths.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import { KeptRunning } from './kept-running.ts';

export interface NodeAgentOptions {
  readonly kubeconfig: string;
  readonly nodeName: string;
  readonly dataFolder: string;
  readonly tell: (text: string) => void;
}

export interface RunningNodeAgent {
  readonly process: KeptRunning;
  readonly hypervisor: HypervisorKind;
  /** Why it is not a better one. */
  readonly reason: string | undefined;
}

/** Guests get this long to shut down before the agent is killed. */
const GRACE_MS = 30_000;

/** The node agent as a process of its own; returns when its node is registered. Its end ends its guests. */
export async function startNodeAgent(supervisor: Supervisor, options: NodeAgentOptions): Promise<RunningNodeAgent> {
  const ready = Promise.withResolvers<{ hypervisor: HypervisorKind; reason?: string }>();
  const program = join(checkoutFolder, 'infra', 'node', 'main.ts');
  const args = [
    '--kubeconfig',
    options.kubeconfig,
    '--node-name',
    options.nodeName,
    '--data',
    options.dataFolder,
    '--stop-guests-on-exit',
  ];
  const spec = {
    name: 'node-agent',
    file: process.execPath,
    args: [program, ...args],
    stage: 'node agent' as const,
    graceMs: GRACE_MS,
    onMessage: (message: unknown) => ready.resolve(message as { hypervisor: HypervisorKind; reason?: string }),
  };
  const kept = await KeptRunning.start(supervisor, spec, options.tell);
  const { hypervisor, reason } = await kept.once(ready.promise);
  return { process: kept, hypervisor, reason };
}
