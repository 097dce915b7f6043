import type { World } from '../world/world.ts';

interface PodObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly phase?: string };
}

/** Pods that are launchers by their labels, but not a VMI's own: targets of migrations, pods that only make claims bound. */
const ofOtherPurpose = (pod: PodObject) =>
  pod.metadata.labels?.['kubevirt.io/migrationJobUID'] !== undefined ||
  pod.metadata.annotations?.['kubevirt.io/ephemeral-provisioning'] !== undefined;

/** Invariant 2 of the design: never two unfinished launcher pods of one VMI, at no moment. */
export function watchLauncherPods(world: World): void {
  const unfinished = new Map<string, Map<string, string>>();
  world.server.watch('/api/v1/pods?watch=true&resourceVersion=0', (event) => {
    const pod = event.object as unknown as PodObject;
    const vmi = pod.metadata?.labels?.['kubevirt.io/created-by'];
    if (vmi === undefined || pod.metadata.labels?.['kubevirt.io'] !== 'virt-launcher' || ofOtherPurpose(pod)) return;
    const pods = unfinished.get(vmi) ?? new Map<string, string>();
    unfinished.set(vmi, pods);
    const isFinal = ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '');
    if (event.type === 'DELETED' || isFinal) pods.delete(pod.metadata.uid);
    else pods.set(pod.metadata.uid, pod.metadata.name);
    if (pods.size > 1)
      world.complaints.push(`VMI ${vmi} has unfinished launcher pods ${[...pods.values()].join(', ')}`);
  });
}
