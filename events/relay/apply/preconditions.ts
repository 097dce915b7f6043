/** Preconditions, checked at the API just before an action (design: "Absence is checked live"). */
import type { ObjectRef, Precondition } from '../../../functions/core/action.ts';
import { kindNamed } from '../../../functions/core/kinds.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { KubeApi } from '../kube/api.ts';
import { pathOf } from '../kube/paths.ts';

export type PreconditionOutcome =
  | { readonly type: 'holds' }
  /** The world is not as the snapshot showed it; `found` is what is there instead, `gone` what is not. */
  | { readonly type: 'fails'; readonly message: string; readonly found?: KubeObject; readonly gone?: ObjectRef };

export async function checkPrecondition(
  api: KubeApi,
  p: Precondition,
  timeoutMs: number,
): Promise<PreconditionOutcome> {
  const kind = kindNamed(p.kind);
  if (kind === undefined) return { type: 'fails', message: `unknown kind ${p.kind}` };
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
        type: 'fails',
        message: `${p.kind} ${found.metadata.name} exists`,
        found: { ...found, apiVersion: kind.apiVersion, kind: kind.kind },
      };
    }
    case 'absent-name': {
      const found = await api.get(pathOf(kind, p.namespace, p.name), timeoutMs);
      return found === undefined ? { type: 'holds' } : { type: 'fails', message: `${p.kind} ${p.name} exists`, found };
    }
    case 'live': {
      const found = await api.get(pathOf(kind, p.namespace, p.name), timeoutMs);
      if (found === undefined) return { type: 'fails', message: `${p.kind} ${p.name} is gone`, gone: p };
      if (found.metadata.uid !== p.uid) return { type: 'fails', message: `${p.kind} ${p.name} has another uid`, found };
      if (found.metadata.deletionTimestamp !== undefined)
        return { type: 'fails', message: `${p.kind} ${p.name} is being deleted`, found };
      return { type: 'holds' };
    }
  }
}
