import type { Call } from '../../../functions/core/action.ts';
import type { Kind } from '../../../functions/core/kind.ts';

/** Path of a kind's collection, of one object of it, or of a subresource. */
export function pathOf(kind: Kind, namespace?: string, name?: string, subresource?: string): string {
  const root = kind.apiVersion.includes('/') ? `/apis/${kind.apiVersion}` : `/api/${kind.apiVersion}`;
  const scope = kind.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${kind.plural}${object}${subresource === undefined ? '' : `/${subresource}`}`;
}

/** Path of a call of KubeVirt's API server. */
export function callPathOf(kind: Kind, namespace: string | undefined, name: string, call: Call): string {
  return pathOf({ ...kind, apiVersion: 'subresources.kubevirt.io/v1' }, namespace, name, call);
}
