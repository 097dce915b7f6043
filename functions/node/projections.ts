/** What of each object this controller needs: the parts that a kubelet or an agent writes every few seconds are not among them. */
import { identityOf } from '../core/identity.ts';
import type { DaemonSet, Node, Pod, VirtualMachineInstance } from '../core/objects.ts';
import { controllerOf } from '../core/owner.ts';
import { annotation, label } from './names.ts';

export function nodeProjection(node: Node): Node {
  return {
    ...identityOf(node),
    metadata: {
      ...identityOf(node).metadata,
      labels: pick(node.metadata.labels, label.schedulable),
      annotations: pick(node.metadata.annotations, annotation.heartbeat),
    },
  };
}

export function instanceProjection(vmi: VirtualMachineInstance): VirtualMachineInstance {
  return {
    ...identityOf(vmi),
    metadata: { ...identityOf(vmi).metadata, labels: pick(vmi.metadata.labels, label.nodeName) },
    spec: {} as VirtualMachineInstance['spec'],
    status: { phase: vmi.status?.phase },
  };
}

export function podProjection(pod: Pod): Pod {
  const owner = controllerOf(pod);
  return {
    ...identityOf(pod),
    metadata: {
      ...identityOf(pod).metadata,
      labels: pick(pod.metadata.labels, label.role),
      ownerReferences: owner === undefined ? [] : [owner],
    },
    spec: { containers: [] },
    status: { phase: pod.status?.phase, containerStatuses: pod.status?.containerStatuses?.map(withoutDetails) },
  };
}

export function agentSetProjection(set: DaemonSet): DaemonSet {
  const { desiredNumberScheduled, currentNumberScheduled, numberReady } = set.status ?? {};
  return {
    ...identityOf(set),
    status: { desiredNumberScheduled, currentNumberScheduled, numberReady },
  };
}

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

/** Only whether the container is terminated. */
function withoutDetails({ name, state }: ContainerStatus): ContainerStatus {
  const isTerminated = state?.terminated !== undefined;
  return {
    name,
    state: isTerminated ? { terminated: { exitCode: 0 } } : {},
    image: '',
    imageID: '',
    ready: false,
    restartCount: 0,
  };
}

function pick(map: Readonly<Record<string, string>> | undefined, key: string): Record<string, string> {
  const value = map?.[key];
  return value === undefined ? {} : { [key]: value };
}
