/** The whole system on one machine, or the part of it that tests and measurements need. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, startControlPlane } from '../control-plane/start-control-plane.ts';
import { makePrivateFolder } from '../paths.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import type { Report } from '../progress.ts';
import { type EmbeddedTable, startEmbeddedTable } from './embedded-table.ts';
import { type RunningFunctions, startFunctions } from './functions.ts';
import { type RunningRelay, startRelay } from './relay.ts';

export interface StackOptions {
  /** Everything that the stack keeps. */
  readonly dataDir: string;
  /** `kept`: etcd and table on disk, to go on with later. `throw-away`: nothing outlives the stack. */
  readonly data: 'kept' | 'throw-away';
  readonly scheduler: boolean;
  /** An API server that runs already, instead of one of the stack's own. */
  readonly kubeconfig?: string;
  readonly launcherImage: string;
  readonly exporterImage: string;
  /** How many relays; absent: one. */
  readonly relays?: number;
  /** Ends everything but the table; the caller may end it at any time, while the stack comes up too. */
  readonly supervisor: Supervisor;
  readonly report: Report;
  /** Lines about processes that end and are started again. */
  readonly tell: (text: string) => void;
}

export interface Stack {
  readonly kubeconfigPath: string;
  /** Absent with an API server that is not the stack's. */
  readonly controlPlane: ControlPlane | undefined;
  readonly functions: RunningFunctions;
  readonly relay: RunningRelay;
  readonly table: EmbeddedTable;
  stop(): Promise<void>;
}

/** Starts control plane, table, functions and relay, in this order. What was started is stopped again when a part fails. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDir, supervisor, report, tell } = options;
  makePrivateFolder(dataDir);
  let table: EmbeddedTable | undefined;
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await table?.close();
  };
  try {
    const controlPlane =
      options.kubeconfig === undefined
        ? await startControlPlane({
            dataDir,
            scheduler: options.scheduler,
            controllerManager: true,
            durable: options.data === 'kept',
            supervisor,
            report,
          })
        : undefined;
    const kubeconfigPath = options.kubeconfig ?? (controlPlane as ControlPlane).kubeconfigPath;
    report({ step: 'table', text: 'starting' });
    table = await startEmbeddedTable(options.data === 'kept' ? join(dataDir, 'table') : undefined);
    report({ step: 'table', text: 'ready' });
    const environment = { ...table.environment, VIRT_FUNCTIONS_SIGNING_KEYS: signingKey(join(dataDir, 'signing-key')) };
    report({ step: 'functions', text: 'starting' });
    const functions = await startFunctions(supervisor, environment, tell);
    report({ step: 'functions', text: `ready at ${functions.url}` });
    report({ step: 'relay', text: 'starting' });
    const { launcherImage, exporterImage } = options;
    const relay = await startRelay(supervisor, {
      kubeconfig: kubeconfigPath,
      functionsUrl: functions.url,
      environment: { VIRT_FUNCTIONS_SIGNING_KEYS: environment.VIRT_FUNCTIONS_SIGNING_KEYS },
      launcherImage,
      exporterImage,
      replicas: options.relays ?? 1,
      tell,
    });
    report({ step: 'relay', text: 'started' });
    return { kubeconfigPath, controlPlane, functions, relay, table, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The key that relay and functions sign with, made once per data folder. */
function signingKey(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
