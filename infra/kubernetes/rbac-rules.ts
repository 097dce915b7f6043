/**
 * What relays may do in a cluster: exactly what the controllers' reads and writes need, and the relay's own. Two parts: a shadow
 * has the first alone, and so can't write.
 */

import { LEASE_NAME } from '../../events/relay/leadership/kube-lease.ts';
import { LABELS_CONFIG_NAME } from '../../events/relay/metrics/vm/label-filter.ts';
import { followedKinds } from '../../events/relay/reflector/followed-kinds.ts';
import { CustomResourceDefinition } from '../../events/relay/reflector/served-kinds.ts';
import { SEALING_SECRET } from '../../events/relay/sealing/sealing-key.ts';
import type { DeclaredController } from '../../functions/controllers.ts';
import type { Kind } from '../../functions/core/kind.ts';

/** One rule of RBAC, about one resource. */
export interface RbacRule {
  readonly apiGroups?: readonly [string];
  readonly resources?: readonly [string];
  readonly resourceNames?: readonly [string];
  readonly nonResourceURLs?: readonly [string];
  readonly verbs: readonly string[];
}

export interface RbacRules {
  readonly cluster: readonly RbacRule[];
  /** In KubeVirt's namespace. */
  readonly namespace: readonly RbacRule[];
}

/** Lists and watches; single objects are read for preconditions and after lost races. */
export function readerRules(declared: readonly DeclaredController[]): RbacRules {
  const kinds = [CustomResourceDefinition, ...followedKinds(declared.map(({ controller }) => controller))];
  return {
    cluster: merged([
      ...kinds.map((kind) => ({ ...resourceOf(kind), verbs: ['get', 'list', 'watch'] })),
      { nonResourceURLs: ['/version'], verbs: ['get'] },
    ]),
    namespace: [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: [LABELS_CONFIG_NAME], verbs: ['list', 'watch'] },
      { apiGroups: [LEASES], resources: ['leases'], resourceNames: [LEASE_NAME], verbs: ['get'] },
    ],
  };
}

/** What the allow list lets pass, events about it, and what leadership, sealing and questions about users' rights take. */
export function writerRules(declared: readonly DeclaredController[]): RbacRules {
  const writes = declared.flatMap(({ writes: { rules } }) =>
    rules.map(({ kind, subresource, verbs }) => ({ ...resourceOf(kind, subresource), verbs })),
  );
  return {
    cluster: merged([
      ...writes,
      { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ]),
    // Names can't be asked for where objects are created: they have none yet.
    namespace: [
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: [SEALING_SECRET], verbs: ['get'] },
      { apiGroups: [LEASES], resources: ['leases'], verbs: ['create'] },
      { apiGroups: [LEASES], resources: ['leases'], resourceNames: [LEASE_NAME], verbs: ['update'] },
    ],
  };
}

const LEASES = 'coordination.k8s.io';

/** Calls are of a group of their own: KubeVirt's API server carries them out. */
function resourceOf(kind: Kind, subresource?: string): Pick<RbacRule, 'apiGroups' | 'resources'> {
  const [group] = kind.apiVersion.includes('/') ? kind.apiVersion.split('/') : [''];
  if (subresource === undefined) return { apiGroups: [group ?? ''], resources: [kind.plural] };
  const isCall = subresource !== 'status';
  return {
    apiGroups: [isCall ? 'subresources.kubevirt.io' : (group ?? '')],
    resources: [`${kind.plural}/${subresource}`],
  };
}

/** One rule per resource, in order. */
function merged(rules: readonly RbacRule[]): RbacRule[] {
  const byResource = Map.groupBy(rules, (rule) => JSON.stringify({ ...rule, verbs: undefined }));
  return [...byResource]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, same]) => ({
      ...(JSON.parse(resource) as Omit<RbacRule, 'verbs'>),
      verbs: [...new Set(same.flatMap((rule) => rule.verbs))].sort(),
    }));
}
