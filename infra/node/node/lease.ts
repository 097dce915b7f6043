import { hasStatus, type KubeClient } from '../kube/client.ts';
import { paths } from '../kube/paths.ts';
import { microTime } from './time.ts';

const NAMESPACE = 'kube-node-lease';
export const LEASE_DURATION_SECONDS = 40;

interface Lease {
  readonly metadata: { readonly resourceVersion: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Says that the node's agent is alive: the node's lease, made if it is not there. */
export async function renewLease(client: KubeClient, nodeName: string): Promise<void> {
  const spec = {
    holderIdentity: nodeName,
    leaseDurationSeconds: LEASE_DURATION_SECONDS,
    renewTime: microTime(Date.now()),
  };
  try {
    const lease = await client.get<Lease>(paths.lease(NAMESPACE, nodeName));
    await client.put(paths.lease(NAMESPACE, nodeName), { ...lease, spec: { ...lease.spec, ...spec } });
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    await create(client, nodeName, spec);
  }
}

async function create(client: KubeClient, nodeName: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: nodeName }, spec };
  try {
    await client.post(paths.leases(NAMESPACE), lease);
  } catch (error) {
    // kube-apiserver makes the namespace itself, a moment after its start.
    if (!hasStatus(error, 404)) throw error;
    await client.post(paths.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    await client.post(paths.leases(NAMESPACE), lease);
  }
}
