import type { AccessAllowed, AccessAttributes } from '../../../functions/core/action.ts';
import { SubjectAccessReview } from '../../../functions/core/kinds.ts';
import type { KubeApi } from '../kube/api.ts';
import { ApiRefusal, ApiUnreachable } from '../kube/errors.ts';
import { pathOf } from '../kube/paths.ts';

type Access = { readonly type: 'holds' } | { readonly type: 'denied'; readonly message: string };

interface Review {
  status?: { allowed?: boolean };
}

/** Asks the API server whether a user may do something (SubjectAccessReview). What can't be asked is not allowed. */
export async function reviewAccess(api: KubeApi, wanted: AccessAllowed, timeoutMs: number): Promise<Access> {
  try {
    for (const all of wanted.anyOf) if (await mayDoAll(api, wanted, all, timeoutMs)) return { type: 'holds' };
  } catch (e) {
    if (!(e instanceof ApiRefusal) && !(e instanceof ApiUnreachable)) throw e;
    return { type: 'denied', message: `could not ask whether ${wanted.user} may: ${e.message}` };
  }
  const { verb, resource, subresource, namespace = '', name = '' } = wanted.anyOf[0]?.[0] ?? { verb: '', resource: '' };
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  return { type: 'denied', message: `${wanted.user} may not ${verb} ${what} ${namespace}/${name}` };
}

async function mayDoAll(
  api: KubeApi,
  { user, groups }: AccessAllowed,
  all: readonly AccessAttributes[],
  timeoutMs: number,
): Promise<boolean> {
  for (const resourceAttributes of all) {
    const { apiVersion, kind } = SubjectAccessReview;
    const body = { apiVersion, kind, metadata: {}, spec: { user, groups, resourceAttributes } };
    const path = pathOf(SubjectAccessReview);
    const review = await api.request<Review>({ method: 'POST', path, body, timeoutMs });
    if (review.status?.allowed !== true) return false;
  }
  return true;
}
