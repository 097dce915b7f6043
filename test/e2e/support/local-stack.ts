import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '../../../functions/core/objects.ts';
import { installCrds } from '../../../infra/local/crds/install-crds.ts';
import { installKubeVirt } from '../../../infra/local/crds/install-kubevirt.ts';
import type { KubeRequest } from '../../../infra/local/kube-client.ts';
import { makePrivateFolder } from '../../../infra/local/paths.ts';
import { Supervisor } from '../../../infra/local/processes/supervisor.ts';
import { type Stack, startStack } from '../../../infra/local/stack/stack.ts';
import { installStorageClasses } from '../../../infra/local/stack/storage-classes.ts';
import { consoleLogPath, type NodeAgent, probeHypervisor, startNodeAgent } from '../../../infra/node/agent.ts';
import { writeGuestImage } from '../../../infra/node/guest/image.ts';
import { until } from './cluster-player.ts';

/** Image of the sample guest, for containerDisks. */
export const GUEST_IMAGE = 'local/guest';

/** What `npm start` starts, without its sample VM: scheduler and node agent are real, and guests where the machine has them. */
export interface LocalStack {
  readonly request: KubeRequest;
  /** Of the node agent. */
  readonly dataFolder: string;
  readonly agent: NodeAgent;
  /** What a launcher pod's guest has said on its serial port. */
  consoleOf(pod: Pod): string;
  stop(): Promise<void>;
}

export async function startLocalStack(namespace: string): Promise<LocalStack> {
  // Short: paths of sockets are limited.
  const dataDir = mkdtempSync(join(tmpdir(), 'vf-e2e-'));
  const dataFolder = join(dataDir, 'node');
  makePrivateFolder(join(dataFolder, 'images'));
  const supervisor = new Supervisor(join(dataDir, 'logs'));
  const nothing = (): void => undefined;
  let stack: Stack | undefined;
  let agent: NodeAgent | undefined;
  const stop = async (): Promise<void> => {
    await agent?.stop({ guests: 'stop' });
    await supervisor.stop();
    await stack?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const probe = await probeHypervisor({ dataFolder });
    stack = await startStack({
      dataDir,
      data: 'throw-away',
      scheduler: true,
      supervisor,
      launcherImage: 'virt-launcher',
      exporterImage: 'virt-exportserver',
      report: nothing,
      tell: nothing,
    });
    const { controlPlane } = stack;
    if (controlPlane === undefined) throw new Error('no control plane');
    const { request, kubeconfigPath } = controlPlane;
    await installCrds(request);
    await installKubeVirt(request, { useEmulation: probe.kind !== 'libvirt-kvm' });
    await installStorageClasses(request);
    await writeGuestImage(join(dataFolder, 'images', 'guest'));
    agent = await startNodeAgent({
      kubeconfig: kubeconfigPath,
      nodeName: 'node-a',
      dataFolder,
      hypervisor: 'auto',
      log: nothing,
    });
    await stack.relay.leading;
    const metadata = { name: namespace };
    await request('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata });
    await until('a service account', async () => {
      const list = await request('GET', `/api/v1/namespaces/${namespace}/serviceaccounts`);
      return (list.items as unknown[]).length > 0;
    });
    const consoleOf = ({ metadata: { uid = '' } }: Pod): string => readIfThere(consoleLogPath(dataFolder, uid));
    return { request, dataFolder, agent, consoleOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
