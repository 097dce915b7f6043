/** What the API server does with pods that it does not do with objects of other kinds. */
import type { KubeObject, Pod } from '../../../functions/core/objects.ts';

export function isPod(object: KubeObject): object is Pod {
  return object.kind === 'Pod';
}

/** The status of a pod that was just created. */
export function newPodStatus(): Pod['status'] {
  return { phase: 'Pending', qosClass: 'Burstable' };
}

/** Whether a deletion removes the pod at once: no kubelet has it, or it has ended. */
export function goesAtOnce(pod: Pod): boolean {
  return pod.spec.nodeName === undefined || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** A strategic merge patch of a pod's status, as far as it concerns conditions: they merge by their type. */
export function patchPodStatus(pod: Pod, body: Readonly<Record<string, unknown>>): Pod {
  const { conditions = [] } = (body['status'] ?? {}) as NonNullable<Pod['status']>;
  const merged = [...(pod.status?.conditions ?? [])];
  for (const condition of conditions) {
    const at = merged.findIndex((c) => c.type === condition.type);
    if (at < 0) merged.push(condition);
    else merged[at] = { ...merged[at], ...condition };
  }
  return { ...pod, status: { ...pod.status, conditions: merged } };
}

/** Whether a pod has the fields of a field selector. */
export function matchesFields(object: KubeObject, fields: Readonly<Record<string, string>>): boolean {
  const known: Readonly<Record<string, string | undefined>> = isPod(object)
    ? { 'spec.nodeName': object.spec.nodeName ?? '' }
    : {};
  return Object.entries(fields).every(([field, value]) => known[field] === value);
}
