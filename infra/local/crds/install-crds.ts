import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type KubeRequest } from '../kube-client.ts';
import { type CustomResourceDefinition, customResourceDefinition } from './definition.ts';
import { instanceTypes } from './instance-types.ts';
import { kubeVirt } from './kube-virt.ts';
import { virtualMachine } from './virtual-machine.ts';
import { virtualMachineInstance } from './virtual-machine-instance.ts';

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const pollMs = 50;
/** Against hangs only: a definition is established within a second. */
const limitMs = 60_000;

/** Definitions of the kinds of KubeVirt that the embedded cluster serves. */
export const definitions: readonly CustomResourceDefinition[] = [
  virtualMachine,
  virtualMachineInstance,
  kubeVirt,
  ...instanceTypes,
].map(customResourceDefinition);

/** Creates or updates the definitions and returns when all of their kinds can be used. */
export async function installCrds(request: KubeRequest): Promise<void> {
  await Promise.all(definitions.map((definition) => put(request, definition)));
  await Promise.all(definitions.map((definition) => established(request, definition.metadata.name)));
}

/**
 * Writes the spec of an existing definition whole, so that it also loses what a newer version of ours no longer has.
 * An update that changes nothing makes no new version of the object.
 */
async function put(request: KubeRequest, definition: CustomResourceDefinition): Promise<void> {
  for (;;) {
    try {
      await request('POST', collection, definition);
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
    const path = `${collection}/${definition.metadata.name}`;
    try {
      const existing = await request('GET', path);
      await request('PUT', path, { ...existing, spec: definition.spec });
      return;
    } catch (error) {
      // Changed or gone in between: again.
      if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) throw error;
    }
  }
}

async function established(request: KubeRequest, name: string): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const { status } = (await request('GET', `${collection}/${name}`)) as {
      status?: { conditions?: readonly { type: string; status: string; message?: string }[] };
    };
    const condition = (type: string) => status?.conditions?.find((item) => item.type === type);
    if (condition('Established')?.status === 'True') return;
    if (condition('NamesAccepted')?.status === 'False')
      throw new Error(`${name}: ${condition('NamesAccepted')?.message}`);
    if (performance.now() > deadline) throw new Error(`${name} is not established after ${limitMs / 1000} s`);
    await sleep(pollMs);
  }
}
