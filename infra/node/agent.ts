import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDataFolder } from './data-lock.ts';
import type { HypervisorKind } from './hypervisor/hypervisor.ts';
import { openHypervisor } from './hypervisor/open-hypervisor.ts';
import type { HypervisorChoice } from './hypervisor/probe.ts';
import { ApiError, KubeClient } from './kube/client.ts';
import { connectionFrom } from './kube/connection.ts';
import { LauncherAgent } from './launcher/launcher-agent.ts';
import { NodeKeeper } from './node/node-keeper.ts';
import { defaultNodeName } from './node/node-object.ts';
import { StorageDriver } from './storage/storage-driver.ts';

export { type HypervisorChoice, type Probe, probeHypervisor } from './hypervisor/probe.ts';
export { consoleLogPath } from './launcher/guest-store.ts';

export interface NodeAgentOptions {
  readonly kubeconfig: string;
  /** Absent: the machine's name. */
  readonly nodeName?: string;
  /** Made if missing. Images are files below `images`; the agent keeps everything else of it. */
  readonly dataFolder: string;
  readonly hypervisor: HypervisorChoice;
  readonly log: (line: string) => void;
}

export interface NodeAgent {
  readonly hypervisor: HypervisorKind;
  /** Why it is not a better one. */
  readonly reason?: string;
  /** `leave`: guests go on, and the next agent finds them. `stop`: guests and hypervisor end first. */
  stop(options: { readonly guests: 'leave' | 'stop' }): Promise<void>;
}

/** The API server may still be starting. */
const REGISTER_TRIES = 20;

/** Resolves when the node is registered and schedulable. Throws when another agent has the data folder. */
export async function startNodeAgent(options: NodeAgentOptions): Promise<NodeAgent> {
  const dataFolder = resolve(options.dataFolder);
  mkdirSync(dataFolder, { recursive: true });
  const lock = await lockDataFolder(dataFolder);
  try {
    const agent = await startLocked(options, dataFolder);
    return {
      ...agent,
      async stop(how) {
        try {
          await agent.stop(how);
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLocked(options: NodeAgentOptions, dataFolder: string): Promise<NodeAgent> {
  const { nodeName = defaultNodeName(), log } = options;
  const client = new KubeClient(await connectionFrom(options.kubeconfig));
  const { hypervisor, reason } = await openHypervisor(dataFolder, options.hypervisor);
  log(`hypervisor ${hypervisor.kind}${reason === undefined ? '' : ` (${reason})`}`);
  const host = await hypervisor.describeHost();
  const keeper = new NodeKeeper({ client, nodeName, dataFolder, kind: hypervisor.kind, host }, log);
  await registered(keeper, log);
  const storage = new StorageDriver({
    client,
    nodeName,
    dataFolder,
    isInUse: (volume) => launchers.hasVolume(volume),
    log,
  });
  const launchers: LauncherAgent = new LauncherAgent({
    client,
    hypervisor,
    nodeName,
    dataFolder,
    claims: storage,
    onHypervisorHealth: (trouble, askedAtMs) => keeper.hearHypervisor(trouble, askedAtMs),
    log,
  });
  launchers.start();
  storage.start();
  return {
    hypervisor: hypervisor.kind,
    reason,
    async stop({ guests }) {
      await Promise.all([launchers.stop(), storage.stop()]);
      await Promise.all([keeper.stop(), guests === 'stop' ? hypervisor.stop() : hypervisor.detach()]);
      client.close();
    },
  };
}

async function registered(keeper: NodeKeeper, log: (line: string) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await keeper.start();
      return;
    } catch (error) {
      // A refusal that will not change is told at once.
      const refused = error instanceof ApiError && (error.status === 401 || error.status === 403);
      if (refused || attempt >= REGISTER_TRIES) throw error;
      log(`node not registered yet: ${String(error)}`);
    }
    await sleep(500);
  }
}
