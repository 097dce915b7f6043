/** What there is in a sequence's namespace, as two servers must agree on it once their controllers have come to rest. */
import { isObj, type Obj, objsAt, textAt, type Value } from '../json/value.ts';
import { normal } from './normal.ts';
import type { Target } from './target.ts';

const NAMESPACED = ['configmaps', 'serviceaccounts', 'secrets', 'pods', 'persistentvolumeclaims', 'resourcequotas'];
const OF_CLUSTER = ['persistentvolumes', 'nodes', 'namespaces'];

/** Objects by kind and name; no versions, for in which order controllers write is theirs. */
export async function stateOf(target: Target, namespace: string): Promise<Value> {
  const found: Obj[] = [];
  for (const plural of NAMESPACED) {
    const { body } = await target.request('GET', `/api/v1/namespaces/${namespace}/${plural}`);
    found.push(...objsAt(body, 'items').map((object) => told(plural, object)));
  }
  for (const plural of OF_CLUSTER) {
    const { body } = await target.request('GET', `/api/v1/${plural}`);
    const own = objsAt(body, 'items').filter((o) => textAt(o, 'metadata', 'name')?.startsWith(namespace) === true);
    found.push(...own.map((object) => told(plural, object)));
  }
  const transcript = { answers: [{ status: 200, body: found }], askedBy: [0], events: [] };
  return normal(transcript, namespace).answers[0]?.body ?? null;
}

function told(plural: string, object: Obj): Obj {
  const { resourceVersion: _, ...metadata } = isObj(object.metadata) ? object.metadata : {};
  switch (plural) {
    case 'configmaps':
      return metadata.name === 'kube-root-ca.crt' ? { plural, metadata } : { plural, ...object, metadata };
    // Which node is fit for what is not modelled.
    case 'nodes':
      return { plural, metadata };
    // A namespace that is being deleted also tells what of it is left.
    case 'namespaces':
      return { plural, metadata, phase: textAt(object, 'status', 'phase') ?? null };
    case 'persistentvolumes':
      return { plural, ...object, metadata, spec: withoutClaimVersion(object) };
    default:
      return { plural, ...object, metadata };
  }
}

function withoutClaimVersion({ spec }: Obj): Obj {
  if (!isObj(spec)) return {};
  const { claimRef, ...rest } = spec;
  if (!isObj(claimRef)) return rest;
  const { resourceVersion: _, ...reference } = claimRef;
  return { ...rest, claimRef: reference };
}
