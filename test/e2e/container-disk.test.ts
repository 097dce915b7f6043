import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pod, VirtualMachine } from '../../functions/core/objects.ts';
import { consoleLogPath, type NodeAgent, startNodeAgent } from '../../infra/node/agent.ts';
import { RegistryServer } from '../infra/node/images/registry-server.ts';
import { diskLayer } from '../infra/node/images/test-image.ts';
import { type BareStack, startBareStack } from './support/bare-stack.ts';
import { smallVm, until } from './support/cluster-player.ts';

const NAMESPACE = 'images';
const NODE = 'node-a';
const core = `/api/v1/namespaces/${NAMESPACE}`;
const registry = new RegistryServer();
const dataFolder = mkdtempSync(join(tmpdir(), 'vf-e2e-'));
let stack: BareStack;
let agent: NodeAgent;

beforeAll(async () => {
  await registry.listen();
  stack = await startBareStack();
  await stack.request('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  });
  await until('a service account', async () => {
    return ((await stack.request('GET', `${core}/serviceaccounts`)).items as unknown[]).length > 0;
  });
  agent = await startNodeAgent({
    kubeconfig: stack.kubeconfig,
    nodeName: NODE,
    dataFolder,
    hypervisor: 'auto',
    log: () => {},
  });
});
afterAll(async () => {
  await agent?.stop({ guests: 'stop' });
  await stack?.stop();
  await registry.close();
  rmSync(dataFolder, { recursive: true });
});

const launcher = async (): Promise<Pod | undefined> => {
  return ((await stack.request('GET', `${core}/pods`)).items as Pod[])[0];
};
const statusOfVm = async (): Promise<string | undefined> => {
  const vm = await stack.request('GET', `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines/disk`);
  return (vm as unknown as VirtualMachine).status?.printableStatus;
};

test('a VM whose containerDisk is named by digest and needs credentials: the error shows, then it boots', async () => {
  const digest = registry.addImage('disks/guest', 'v1', [diskLayer()]);
  registry.access = { type: 'token', username: 'robot', password: 'secret word' };
  const image = `${registry.host}/disks/guest@${digest}`;
  const vm = smallVm('disk') as { spec: { template: { spec: { volumes: unknown[] } } } };
  vm.spec.template.spec.volumes = [{ name: 'boot', containerDisk: { image, imagePullSecret: 'pull' } }];
  await stack.request('POST', `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines`, vm);
  await until('a launcher pod', async () => (await launcher()) !== undefined);
  const { name } = (await launcher())?.metadata ?? { name: '' };
  await stack.request('POST', `${core}/pods/${name}/binding`, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name },
    target: { apiVersion: 'v1', kind: 'Node', name: NODE },
  });
  const errors = ['ErrImagePull', 'ImagePullBackOff'];
  await until('the error at the VM', async () => errors.includes((await statusOfVm()) ?? ''));

  const config = JSON.stringify({ auths: { [registry.host]: { username: 'robot', password: 'secret word' } } });
  await stack.request('POST', `${core}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'pull' },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(config).toString('base64') },
  });
  await until('the VM running', async () => (await statusOfVm()) === 'Running');
  const pod = await launcher();
  expect(pod?.metadata.name).toBe(name);
  const statuses = [...(pod?.status?.initContainerStatuses ?? []), ...(pod?.status?.containerStatuses ?? [])];
  const ids = statuses.filter((s) => s.name.startsWith('volumeboot')).map((s) => s.imageID);
  expect(new Set(ids)).toEqual(new Set([image]));
  const path = consoleLogPath(dataFolder, pod?.metadata.uid ?? '');
  await until('beats', async () => (await readFile(path, 'latin1').catch(() => '')).includes('beat 2'));
});
