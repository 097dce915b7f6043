/** Preconditions, checked at the API just before an action (design: "Absence is checked live"). */
import type { AccessAllowed, KindName, ObjectRef, Precondition } from '../../../functions/core/action.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { kindNamed } from '../../../functions/core/kinds.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { KubeApi } from '../kube/api.ts';
import { pathOf } from '../kube/paths.ts';
import { reviewAccess } from './access-review.ts';

export type PreconditionOutcome =
  | { readonly type: 'holds' }
  /** The world is not as the snapshot showed it; `found` is what is there instead, `gone` what is not. */
  | {
      readonly type: 'fails';
      readonly message: string;
      readonly kind: KindName;
      readonly found?: KubeObject;
      readonly gone?: ObjectRef;
    }
  /** What the action does is not allowed to the user on whose behalf it is done. */
  | { readonly type: 'denied'; readonly message: string };

export async function checkPrecondition(
  api: KubeApi,
  p: Precondition,
  timeoutMs: number,
): Promise<PreconditionOutcome> {
  if (p.type === 'access-allowed') return reviewAccess(api, p, timeoutMs);
  const kind = kindNamed(p.kind);
  if (kind === undefined) return { type: 'fails', kind: p.kind, message: `unknown kind ${p.kind}` };
  return checkObjects(api, p, kind, timeoutMs);
}

async function checkObjects(
  api: KubeApi,
  p: Exclude<Precondition, AccessAllowed>,
  kind: Kind,
  timeoutMs: number,
): Promise<PreconditionOutcome> {
  const fails = { type: 'fails', kind: p.kind } as const;
  switch (p.type) {
    case 'absent-labels': {
      const selector = Object.entries(p.labels)
        .map(([k, v]) => `${k}=${v}`)
        .join(',');
      const fields = Object.entries(p.fields ?? {})
        .map(([k, v]) => `${k}=${v}`)
        .join(',');
      const query = [
        `labelSelector=${encodeURIComponent(selector)}`,
        ...(fields === '' ? [] : [`fieldSelector=${encodeURIComponent(fields)}`]),
      ];
      const path = `${pathOf(kind, p.namespace)}?limit=1&${query.join('&')}`;
      const list = await api.request<{ items: KubeObject[] }>({ method: 'GET', path, timeoutMs });
      const found = list.items[0];
      if (found === undefined) return { type: 'holds' };
      return {
        ...fails,
        message: `${p.kind} ${found.metadata.name} exists`,
        found: { ...found, apiVersion: kind.apiVersion, kind: kind.kind },
      };
    }
    case 'absent-name': {
      const found = await api.get(pathOf(kind, p.namespace, p.name), timeoutMs);
      return found === undefined ? { type: 'holds' } : { ...fails, message: `${p.kind} ${p.name} exists`, found };
    }
    case 'live': {
      const found = await api.get(pathOf(kind, p.namespace, p.name), timeoutMs);
      if (found === undefined) return { ...fails, message: `${p.kind} ${p.name} is gone`, gone: p };
      if (found.metadata.uid !== p.uid) return { ...fails, message: `${p.kind} ${p.name} has another uid`, found };
      if (found.metadata.deletionTimestamp !== undefined)
        return { ...fails, message: `${p.kind} ${p.name} is being deleted`, found };
      return { type: 'holds' };
    }
  }
}
