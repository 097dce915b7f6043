import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  startControlPlane,
} from '../../../../infra/local/control-plane/start-control-plane.ts';
import { type ApiError, connectionOf, type KubeRequest, kubeRequest } from '../../../../infra/local/kube-client.ts';
import { identityOf } from '../../../../infra/local/processes/identity.ts';
import type { ProcessCrashed } from '../../../../infra/local/processes/managed-process.ts';
import { scratchFolder } from '../scratch.ts';

const execute = promisify(execFile);

async function start(dataDir: string, options: Partial<ControlPlaneOptions> = {}): Promise<ControlPlane> {
  const bare = { scheduler: false, controllerManager: false, durable: false };
  const controlPlane = await startControlPlane({ dataDir, ...bare, ...options });
  onTestFinished(() => controlPlane.stop());
  return controlPlane;
}

async function eventually(request: KubeRequest, path: string): Promise<void> {
  for (;;) {
    try {
      await request('GET', path);
      return;
    } catch (error) {
      if ((error as ApiError).status !== 404) throw error;
      await sleep(50);
    }
  }
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { a: 'b' } };

test('a whole control plane serves kubectl and gives namespaces their service account', async () => {
  const controlPlane = await start(scratchFolder(), { scheduler: true, controllerManager: true });
  const { request } = controlPlane;
  expect(Object.keys(controlPlane.pids)).toHaveLength(4);
  await request('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } });
  await eventually(request, '/api/v1/namespaces/fresh/serviceaccounts/default');
  await eventually(request, '/api/v1/namespaces/fresh/configmaps/kube-root-ca.crt');

  const { stdout } = await execute(controlPlane.kubectlPath, ['get', 'namespace', 'fresh', '-o', 'name']);
  expect(stdout.trim()).toBe('namespace/fresh');
  const whoAmI = await execute(controlPlane.kubectlPath, [
    'auth',
    'whoami',
    '-o',
    'jsonpath={.status.userInfo.groups}',
  ]);
  expect(JSON.parse(whoAmI.stdout)).toContain('system:masters');
});

test('RBAC and service account admission are on, strangers are refused', async () => {
  const { request, kubeconfigPath } = await start(scratchFolder());
  const connection = connectionOf(kubeconfigPath);
  await expect(kubeRequest({ ...connection, token: 'guessed' })('GET', '/api/v1/pods')).rejects.toThrow('401');

  // Without controller manager no namespace has a service account, which admission asks for.
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  };
  await expect(request('POST', '/api/v1/namespaces/default/pods', pod)).rejects.toThrow(
    'serviceaccount "default" not found',
  );

  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader' } };
  await request('POST', '/api/v1/namespaces/default/serviceaccounts', account);
  const answer = await request('POST', '/api/v1/namespaces/default/serviceaccounts/reader/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  });
  const { token } = answer.status as { token: string };
  await expect(kubeRequest({ ...connection, token })('GET', '/api/v1/pods')).rejects.toThrow('403');
});

test('nothing listens for the network, and etcd not even on the loopback address', async () => {
  const { pids } = await start(scratchFolder());
  const listening = (pid: number | undefined): string[] => {
    const inodes = new Set<string>();
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      try {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
        if (inode) inodes.add(inode);
      } catch {
        // Closed in between.
      }
    }
    const rows = ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1),
    );
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && inodes.has(fields[9] ?? ''))
      .map((fields) => (fields[1] ?? '').split(':')[0] ?? '');
  };
  expect(listening(pids.etcd)).toEqual([]);
  expect(listening(pids['kube-apiserver'])).toEqual(['0100007F']);
});

test('objects, token and certificate outlive a restart, also one after a crash of everything', async () => {
  const dataDir = scratchFolder();
  const first = await start(dataDir, { durable: true });
  await first.request('POST', configMaps, configMap);
  const before = connectionOf(first.kubeconfigPath);
  await first.stop();
  expect(identityOf(first.pids.etcd ?? 0)).toBeUndefined();

  const second = await start(dataDir, { durable: true });
  expect((await second.request('GET', `${configMaps}/kept`)).data).toEqual({ a: 'b' });
  const after = connectionOf(second.kubeconfigPath);
  expect({ ...after, server: '' }).toEqual({ ...before, server: '' });
  for (const pid of Object.values(second.pids)) process.kill(pid, 'SIGKILL');

  // A crash of the machine can leave half a file.
  writeFileSync(join(dataDir, 'credentials', 'apiserver.crt'), '-----BEGIN CERT');
  const third = await start(dataDir, { durable: true });
  expect((await third.request('GET', `${configMaps}/kept`)).data).toEqual({ a: 'b' });
});

test('a part that ends by itself is named, with the last lines of its log', async () => {
  const controlPlane = await start(scratchFolder());
  const crash = new Promise<ProcessCrashed>((done) => controlPlane.onExit(done));
  process.kill(controlPlane.pids['kube-apiserver'] ?? 0, 'SIGKILL');
  const { processName, message } = await crash;
  expect(processName).toBe('kube-apiserver');
  expect(message).toMatch(/^kube-apiserver was ended by SIGKILL; its last words:\n {2}\S/);
});

test('a part that cannot start is named, and what had started is ended', async () => {
  const dataDir = scratchFolder();
  const whole = await start(dataDir);
  await whole.stop();
  writeFileSync(join(dataDir, 'credentials', 'tokens.csv'), 'not enough columns\n');
  const result = start(dataDir);
  await expect(result).rejects.toThrow(/^kube-apiserver ended with code 1; its last words:/);
  expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
});

test('all parts end when the process that started them is killed', async () => {
  const dataDir = scratchFolder();
  const module = fileURLToPath(
    new URL('../../../../infra/local/control-plane/start-control-plane.ts', import.meta.url),
  );
  const program = `import { startControlPlane } from ${JSON.stringify(module)};
    const options = { dataDir: ${JSON.stringify(dataDir)}, scheduler: true, controllerManager: true };
    console.log(JSON.stringify((await startControlPlane(options)).pids));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pids = Object.values(JSON.parse(line.toString()) as Record<string, number>);
  expect(pids.map((pid) => identityOf(pid) !== undefined)).toEqual([true, true, true, true]);
  parent.kill('SIGKILL');
  while (pids.some((pid) => identityOf(pid))) await sleep(50);
  expect(existsSync(join(dataDir, 'kubeconfig'))).toBe(true);
});
