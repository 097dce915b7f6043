/** Starts a control plane on a data folder and watches over it. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type KubeRequest, kubeRequest } from '../kube-client.ts';
import { makePrivateFolder } from '../paths.ts';
import { type ManagedProcess, ProcessCrashed } from '../processes/managed-process.ts';
import type { Stage } from '../processes/stages.ts';
import { crashOf, Supervisor } from '../processes/supervisor.ts';
import type { Report } from '../progress.ts';
import { UnusableData } from '../unusable-data.ts';
import { type Credentials, prepareCredentials } from './credentials.ts';
import { etcdArguments, isEtcdHealthy, newEtcdSocket } from './etcd.ts';
import { withFreePort } from './free-port.ts';
import { apiServerArguments, clientArguments, controllerManagerArguments } from './kube-arguments.ts';
import { writeKubeconfig, writeKubectlScript } from './kubeconfig.ts';
import { layoutOf } from './layout.ts';
import { obtainParts } from './obtain-parts.ts';
import type { PartName, Parts } from './parts.ts';
import { isHealthy, untilReady } from './ready.ts';

export interface ControlPlaneOptions {
  /** Everything is kept in it: a later start on the same folder goes on with the same objects. */
  readonly dataDir: string;
  readonly scheduler: boolean;
  readonly controllerManager: boolean;
  /** False for data that nobody needs after a crash of the machine: writes do not wait for the disk. Absent: true. */
  readonly durable?: boolean;
  /** Absent: obtained first (obtain-parts.ts). */
  readonly parts?: Parts;
  /** Of the whole stack; absent: one of its own, with logs in `<dataDir>/logs`. */
  readonly supervisor?: Supervisor;
  readonly report?: Report;
}

export interface ControlPlane {
  readonly kubeconfigPath: string;
  /** Script that runs kubectl on this cluster. */
  readonly kubectlPath: string;
  /** `https://127.0.0.1:<port>` */
  readonly server: string;
  readonly request: KubeRequest;
  readonly pids: Partial<Readonly<Record<PartName, number>>>;
  /** Calls back when a part has ended without being told to, also if it has already. */
  onExit(listener: (crash: ProcessCrashed) => void): void;
  /** Ends all parts in their order. A stop of the whole stack by its supervisor does that as well. */
  stop(): Promise<void>;
}

/** kube-apiserver would wait up to a minute for requests that are still open. */
const graceMs = 5_000;

/** @throws ControlPlaneUnavailable, UnusableData (etcd's), ProcessCrashed (names the part, with the last lines of its log) */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const report = options.report ?? (() => undefined);
  const parts = options.parts ?? (await obtainParts(report));
  const dataDir = resolve(options.dataDir);
  makePrivateFolder(dataDir);
  const layout = layoutOf(dataDir);
  const supervisor = options.supervisor ?? new Supervisor(layout.logs);
  const credentials = prepareCredentials(layout.credentials);
  const started = new Map<PartName, ManagedProcess>();
  const stop = (): Promise<void> => supervisor.stop([...started.values()]);

  const start = async (name: PartName, stage: Stage, args: string[]): Promise<ManagedProcess> => {
    report({ step: 'control plane', text: `starting ${name}` });
    const command = parts[name];
    const part = await supervisor.start({
      name,
      file: command.file,
      args: [...command.leading, ...args],
      stage,
      graceMs,
    });
    started.set(name, part);
    return part;
  };

  const startEtcd = async (): Promise<string> => {
    const socket = newEtcdSocket(dataDir);
    const args = etcdArguments(layout.etcdData, socket, options.durable ?? true);
    const part = await start('etcd', 'etcd', args);
    await untilReady(part, () => isEtcdHealthy(socket)).catch((error: unknown) => {
      throw asUnusableData(error, part, layout.etcdData);
    });
    return socket;
  };

  const startApiServer = (etcdSocket: string): Promise<{ server: string; request: KubeRequest }> =>
    withFreePort(async (port) => {
      const part = await start('kube-apiserver', 'api server', apiServerArguments(credentials, etcdSocket, port));
      const server = `https://127.0.0.1:${port}`;
      let request: KubeRequest | undefined;
      await untilReady(part, async () => {
        request ??= requestOnceCertified(server, credentials);
        return request !== undefined && (await answers(request('GET', '/readyz')));
      });
      if (!request) throw new Error('kube-apiserver is ready without a certificate');
      return { server, request };
    });

  const startClient = (
    name: 'kube-controller-manager' | 'kube-scheduler',
    argumentsOn: (port: number) => string[],
  ): Promise<void> =>
    withFreePort(async (port) => {
      const part = await start(name, 'controllers', argumentsOn(port));
      await untilReady(part, () => isHealthy(port));
    });

  try {
    const { server, request } = await startApiServer(await startEtcd());
    writeKubeconfig(layout.kubeconfig, server, credentials);
    const kubectlPath = writeKubectlScript(dataDir, parts.kubectl, layout.kubeconfig);
    const { kubeconfig } = layout;
    const clients: Promise<void>[] = [];
    if (options.controllerManager) {
      const argumentsOn = (port: number): string[] => controllerManagerArguments(credentials, kubeconfig, port);
      clients.push(startClient('kube-controller-manager', argumentsOn));
    }
    if (options.scheduler) clients.push(startClient('kube-scheduler', (port) => clientArguments(kubeconfig, port)));
    await Promise.all(clients);
    report({ step: 'control plane', text: `ready at ${server}` });
    return {
      kubeconfigPath: layout.kubeconfig,
      kubectlPath,
      server,
      request,
      pids: Object.fromEntries([...started].map(([name, part]) => [name, part.pid])),
      onExit: (listener) => {
        for (const part of started.values()) {
          void part.exited.then((exit) => (exit.asked ? undefined : listener(crashOf(part, exit))));
        }
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** etcd tells of broken data in stack traces. */
function asUnusableData(error: unknown, { logFile }: ManagedProcess, folder: string): unknown {
  if (!(error instanceof ProcessCrashed)) return error;
  const how = error.message.split(/[;\n]/)[0];
  return new UnusableData(folder, `${how}, log: ${logFile}`, error);
}

/** Undefined as long as kube-apiserver has not made its certificate. */
function requestOnceCertified(server: string, credentials: Credentials): KubeRequest | undefined {
  if (!existsSync(credentials.certificateFile)) return undefined;
  const certificateAuthority = readFileSync(credentials.certificateFile, 'utf8');
  if (!certificateAuthority.trimEnd().endsWith('-----END CERTIFICATE-----')) return undefined;
  return kubeRequest({ server, token: credentials.token, certificateAuthority });
}

async function answers(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch {
    return false;
  }
}
