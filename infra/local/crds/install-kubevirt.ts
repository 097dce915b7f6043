import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type KubeRequest, mergePatch } from '../kube-client.ts';

const namespace = 'kubevirt';
const collection = `/apis/kubevirt.io/v1/namespaces/${namespace}/kubevirts`;
const path = `${collection}/kubevirt`;
const retryMs = 100;
const storageRetries = 100;

export interface KubeVirtSettings {
  /** Whether guests run under QEMU's own emulation instead of KVM. */
  readonly useEmulation: boolean;
}

/**
 * Makes the namespace `kubevirt` and the KubeVirt object in it, as deployed. Where the object exists, only what is
 * named here changes: the rest of its configuration is the user's.
 */
export async function installKubeVirt(request: KubeRequest, settings: KubeVirtSettings): Promise<void> {
  await createUnlessThere(request, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  const spec = { configuration: { developerConfiguration: { useEmulation: settings.useEmulation } } };
  const metadata = { name: 'kubevirt', namespace };
  await createUnlessThere(request, collection, { apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata, spec });
  await request('PATCH', path, { spec }, mergePatch);
  await request('PATCH', `${path}/status`, { status: { phase: 'Deployed' } }, mergePatch);
}

/** A kind that has just been established answers "too many requests" while its storage starts. */
async function createUnlessThere(request: KubeRequest, into: string, object: object): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await request('POST', into, object);
      return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'AlreadyExists') return;
      if (error.status !== 429 || attempt === storageRetries) throw error;
      await sleep(retryMs);
    }
  }
}
