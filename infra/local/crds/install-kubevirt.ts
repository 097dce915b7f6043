import { createUnlessThere } from '../create-unless-there.ts';
import { type KubeRequest, mergePatch } from '../kube-client.ts';

const namespace = 'kubevirt';
const collection = `/apis/kubevirt.io/v1/namespaces/${namespace}/kubevirts`;
const path = `${collection}/kubevirt`;

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
