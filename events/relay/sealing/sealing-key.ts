import type { KubeObject } from '../../../functions/core/objects.ts';
import type { KubeApi } from '../kube/api.ts';
import { ApiRefusal } from '../kube/errors.ts';
import { type Ports, sleep } from '../ports.ts';

/** The Secret in KubeVirt's namespace that holds the key; it never leaves the cluster. */
export const SEALING_SECRET = 'virt-functions-sealing';

const MEMBER = 'key';
const RETRY_MS = 1000;
const MIN_LENGTH = 32;

type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/**
 * The key that texts are sealed under, the same for every relay of the cluster: made by the first that leads. Tries until it has
 * it, or `wanted` says no more (then `undefined`): without a key nothing can be delivered.
 */
export async function sealingKey(
  api: KubeApi,
  namespace: string,
  ports: Ports,
  wanted: () => boolean,
): Promise<string | undefined> {
  const collection = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`;
  while (wanted()) {
    try {
      const secret = await api.get<Secret>(`${collection}/${SEALING_SECRET}`);
      if (secret !== undefined) return keyIn(secret);
      await api.request({ method: 'POST', path: collection, body: newSecret(namespace, ports) });
    } catch (e) {
      // Somebody else was first: theirs is read.
      if (e instanceof ApiRefusal && e.reason === 'AlreadyExists') continue;
      ports.log.warn('no key to seal with yet', { secret: SEALING_SECRET, error: e instanceof Error ? e.message : '' });
      await sleep(ports.timers, RETRY_MS);
    }
  }
  return undefined;
}

function keyIn({ data }: Secret): string {
  const key = Buffer.from(data?.[MEMBER] ?? '', 'base64').toString('utf8');
  if (key.length < MIN_LENGTH) throw new Error(`the Secret has no member ${MEMBER} of ${MIN_LENGTH} bytes or more`);
  return key;
}

function newSecret(namespace: string, ports: Ports): object {
  // Two version 4 UUIDs: 244 random bits.
  const key = `${ports.random.uuid()}${ports.random.uuid()}`;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: SEALING_SECRET, namespace },
    type: 'Opaque',
    immutable: true,
    data: { [MEMBER]: Buffer.from(key).toString('base64') },
  };
}
