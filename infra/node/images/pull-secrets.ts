import { hasStatus, type KubeClient } from '../kube/client.ts';
import { paths } from '../kube/paths.ts';
import { type Credential, parseDockerConfig } from './credentials.ts';

/** What a pod's imagePullSecrets hold. */
export interface PullSecrets {
  readonly names: readonly string[];
  readonly configs: readonly ReadonlyMap<string, Credential>[];
  /** Secrets that cannot be used, and why: the pull goes on without them, as a kubelet's does. */
  readonly unusable: readonly string[];
}

const TYPE = 'kubernetes.io/dockerconfigjson';
const KEY = '.dockerconfigjson';

/** Reads a pod's imagePullSecrets anew. */
export async function readPullSecrets(
  client: KubeClient,
  namespace: string,
  names: readonly string[],
): Promise<PullSecrets> {
  const found = await Promise.all(names.map((name) => readOne(client, namespace, name)));
  return {
    names,
    configs: found.filter((f) => typeof f !== 'string'),
    unusable: found.filter((f) => typeof f === 'string'),
  };
}

/** Or why it cannot be used. */
async function readOne(
  client: KubeClient,
  namespace: string,
  name: string,
): Promise<ReadonlyMap<string, Credential> | string> {
  try {
    const secret = await client.get<{ type?: string; data?: Record<string, string> }>(paths.secret(namespace, name));
    const text = secret.data?.[KEY];
    if (secret.type !== TYPE || text === undefined) return `Secret ${name} is not of type ${TYPE}`;
    return parseDockerConfig(Buffer.from(text, 'base64').toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return `Secret ${name} holds no JSON`;
    if (hasStatus(error, 404)) return `there is no Secret ${name}`;
    if (hasStatus(error, 403)) return `this node may not read Secret ${name}`;
    throw error;
  }
}
