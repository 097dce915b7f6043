// `kubectl delete crd`: the API server keeps a definition until its last object is gone, and the controllers hold their finalizers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VirtualMachine } from '../../functions/core/objects.ts';
import { installCrds } from '../../infra/local/crds/install-crds.ts';
import { ApiError } from '../../infra/local/kube-client.ts';
import { type BareStack, startBareStack } from './support/bare-stack.ts';
import { ClusterPlayer, smallVm, until } from './support/cluster-player.ts';

const NAMESPACE = 'definition-deleted';
const VMS = `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines`;
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/virtualmachineinstances.kubevirt.io';
let stack: BareStack;
let player: ClusterPlayer;

beforeAll(async () => {
  stack = await startBareStack();
  player = new ClusterPlayer(stack.request, NAMESPACE);
  await player.start();
});
afterAll(async () => {
  await player?.stop();
  await stack?.stop();
});

const running = (count: number) => async () => {
  const vms = await player.list<VirtualMachine>('virtualmachines');
  return vms.filter((vm) => vm.status?.printableStatus === 'Running').length === count;
};

async function isGone(path: string): Promise<boolean> {
  try {
    await stack.request('GET', path);
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
}

test('the definition of VMIs goes with its VMIs, and VMs run again when it is back', async () => {
  for (const name of ['a', 'b']) await stack.request('POST', VMS, smallVm(name));
  await until('VMs running', running(2));
  await stack.request('DELETE', DEFINITION);
  await until('the definition gone', () => isGone(DEFINITION));
  await installCrds(stack.request);
  await until('VMs running again', running(2));
  expect([...player.doubles]).toEqual([]);
});

test('a namespace is deleted with the VMs that run in it', async () => {
  await stack.request('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
  await until('the namespace gone', () => isGone(`/api/v1/namespaces/${NAMESPACE}`));
});
