import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELAY_BUNDLE } from '../../../infra/build/project.ts';
import type { KubeRequest } from '../../../infra/local/kube-client.ts';
import { type Program, startProgram } from './program.ts';

/** A relay as its image runs it, and what it tells whoever asks. */
export interface RelayProgram extends Program {
  /** Its /metrics, as lines. */
  metrics(): Promise<readonly string[]>;
  /** Its /shadow. */
  shadow<T>(): Promise<T>;
}

export interface RelayProgramOptions {
  readonly kubeconfig: string;
  readonly functionsUrl: string;
  readonly signingKeys: string;
  readonly args: readonly string[];
}

export async function startRelayProgram(options: RelayProgramOptions): Promise<RelayProgram> {
  const { kubeconfig, functionsUrl, signingKeys, args } = options;
  const program = startProgram(
    process.execPath,
    [
      RELAY_BUNDLE,
      '--kubeconfig',
      kubeconfig,
      '--functions',
      functionsUrl,
      '--launcher-image=registry.example/virt-launcher:v1',
      '--exporter-image=registry.example/virt-exportserver:v1',
      '--port=0',
      '--health-port=0',
      ...args,
    ],
    { VIRT_FUNCTIONS_SIGNING_KEYS: signingKeys },
  );
  await program.says('"started"');
  const [line = ''] = program.stdout().split('\n');
  const { port } = JSON.parse(line) as { port: number };
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  return {
    ...program,
    metrics: async () => (await get('/metrics')).split('\n'),
    shadow: async <T>() => JSON.parse(await get('/shadow')) as T,
  };
}

/** A kubeconfig beside another one, for a service account of the namespace `kubevirt`. */
export async function kubeconfigOf(account: string, kubeconfig: string, request: KubeRequest): Promise<string> {
  const path = `/api/v1/namespaces/kubevirt/serviceaccounts/${account}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const { status } = (await request('POST', path, body)) as unknown as { status: { token: string } };
  const file = join(kubeconfig, '..', `${account}.kubeconfig`);
  writeFileSync(file, readFileSync(kubeconfig, 'utf8').replace(/token: .*/, `token: ${status.token}`), { mode: 0o600 });
  return file;
}
