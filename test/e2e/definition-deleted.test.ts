// `kubectl delete crd`: the API server keeps a definition until its last object is gone, and the controllers hold their finalizers.
import { expect, test } from 'vitest';
import type { VirtualMachine } from '../../functions/core/objects.ts';
import { installCrds } from '../../infra/local/crds/install-crds.ts';
import { ApiError } from '../../infra/local/kube-client.ts';
import { smallVm, until } from './support/cluster-player.ts';
import { usePlayedStack } from './support/played-stack.ts';

const NAMESPACE = 'definition-deleted';
const VMS = `/apis/kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines`;
const DEFINITION = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/virtualmachineinstances.kubevirt.io';
const used = usePlayedStack(NAMESPACE);

const running = (count: number) => async () => {
  const vms = await used.player.list<VirtualMachine>('virtualmachines');
  return vms.filter((vm) => vm.status?.printableStatus === 'Running').length === count;
};

async function isGone(path: string): Promise<boolean> {
  try {
    await used.stack.request('GET', path);
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
}

test('the definition of VMIs goes with its VMIs, and VMs run again when it is back', async () => {
  for (const name of ['a', 'b']) await used.stack.request('POST', VMS, smallVm(name));
  await until('VMs running', running(2));
  await used.stack.request('DELETE', DEFINITION);
  await until('the definition gone', () => isGone(DEFINITION));
  await installCrds(used.stack.request);
  await until('VMs running again', running(2));
  expect([...used.player.doubles]).toEqual([]);
});

test('a namespace is deleted with the VMs that run in it', async () => {
  await used.stack.request('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
  await until('the namespace gone', () => isGone(`/api/v1/namespaces/${NAMESPACE}`));
});
