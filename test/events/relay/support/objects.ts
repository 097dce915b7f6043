import type { KubeObject } from '../../../../functions/core/objects.ts';

/** A pod, as the API server would show it. */
export function pod(
  name: string,
  resourceVersion: number,
  extra: Record<string, unknown> = {},
  uid = `uid-${name}`,
): KubeObject {
  const { labels, owner, ...rest } = extra as { labels?: Record<string, string>; owner?: string };
  const ownerReferences =
    owner === undefined
      ? []
      : [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'x', uid: owner, controller: true }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'ns',
      uid,
      resourceVersion: String(resourceVersion),
      labels: labels ?? {},
      ownerReferences,
    },
    ...rest,
  };
}
