import { RELAY_BUNDLE } from '../../build/project.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import { KeptRunning } from './kept-running.ts';
import { leanNode } from './node-options.ts';

export interface RelayProcessOptions {
  readonly kubeconfig: string;
  readonly functionsUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly launcherImage: string;
  readonly exporterImage: string;
  /** How many; one of them leads. */
  readonly replicas: number;
  readonly tell: (text: string) => void;
}

export interface RunningRelay {
  /** Its replicas. */
  readonly processes: readonly KeptRunning[];
  /** Resolves when one of them leads for the first time. */
  readonly leading: Promise<void>;
}

/** What a relay says when it has started. */
interface Started {
  readonly state: 'started';
  readonly scheme: string;
  readonly address: string;
  readonly port: number;
  readonly healthPort: number;
}

/** The relay, each replica a process of its own; returns when all have started. */
export async function startRelay(supervisor: Supervisor, options: RelayProcessOptions): Promise<RunningRelay> {
  const leading = Promise.withResolvers<void>();
  const processes = await Promise.all(
    Array.from({ length: options.replicas }, (_, i) => startReplica(supervisor, options, i, leading.resolve)),
  );
  return { processes, leading: leading.promise };
}

async function startReplica(
  supervisor: Supervisor,
  options: RelayProcessOptions,
  index: number,
  onLeading: () => void,
): Promise<KeptRunning> {
  const started = Promise.withResolvers<void>();
  const name = `relay-${index}`;
  const args = [
    ['--kubeconfig', options.kubeconfig],
    ['--functions', options.functionsUrl],
    ['--launcher-image', options.launcherImage],
    ['--exporter-image', options.exporterImage],
    ['--identity', `embedded-${name}`],
    // Any free ones: the machine may have other relays, and each new process may get others.
    ['--port', '0'],
    ['--health-port', '0'],
  ];
  const spec = {
    name,
    file: process.execPath,
    args: [...leanNode, RELAY_BUNDLE, ...args.flat()],
    env: { ...process.env, ...options.environment },
    stage: 'relay' as const,
    onMessage: (message: unknown) => {
      const said = message as Started | { readonly state: 'leading' };
      if (said.state === 'leading') return onLeading();
      const at = (port: number) => `${said.scheme}://${said.address}:${port}`;
      options.tell(`${name}: ${at(said.port)}/metrics, ${at(said.healthPort)}/healthz`);
      started.resolve();
    },
  };
  const kept = await KeptRunning.start(supervisor, spec, options.tell);
  await kept.once(started.promise);
  return kept;
}
