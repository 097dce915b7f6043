import { join } from 'node:path';
import { checkoutFolder } from '../paths.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import { KeptRunning } from './kept-running.ts';

export interface RelayProcessOptions {
  readonly kubeconfig: string;
  readonly functionsUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly launcherImage: string;
  readonly exporterImage: string;
  readonly tell: (text: string) => void;
}

export interface RunningRelay {
  readonly process: KeptRunning;
  /** Resolves when a relay leads for the first time. */
  readonly leading: Promise<void>;
}

/** The relay as a process of its own; returns when it has started. */
export async function startRelay(supervisor: Supervisor, options: RelayProcessOptions): Promise<RunningRelay> {
  const started = Promise.withResolvers<void>();
  const leading = Promise.withResolvers<void>();
  const args = [
    '--kubeconfig',
    options.kubeconfig,
    '--functions',
    options.functionsUrl,
    '--launcher-image',
    options.launcherImage,
    '--exporter-image',
    options.exporterImage,
  ];
  const spec = {
    name: 'relay',
    file: process.execPath,
    args: [
      '--max-semi-space-size=4',
      join(checkoutFolder, 'events', 'relay', 'main.ts'),
      ...args,
      '--identity',
      'embedded-relay-0',
    ],
    env: { ...process.env, ...options.environment },
    stage: 'relay' as const,
    onMessage: (message: unknown) => {
      const { state } = message as { state?: string };
      if (state === 'started') started.resolve();
      if (state === 'leading') leading.resolve();
    },
  };
  const kept = await KeptRunning.start(supervisor, spec, options.tell);
  await started.promise;
  return { process: kept, leading: leading.promise };
}
