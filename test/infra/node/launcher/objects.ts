import type { Pod, VirtualMachineInstance } from '../../../../functions/core/objects.ts';

const launcherImage = 'registry.example/virt-launcher:v1';

/** A launcher pod bound to `node-a`, as the VMI controller makes it; perhaps with a claim, its volume named likewise. */
export function launcherPod(vmiName: string, vmiUid: string, image = 'local/guest', claimName?: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `virt-launcher-${vmiName}`,
      namespace: 'default',
      uid: `pod-of-${vmiName}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'kubevirt.io': 'virt-launcher', 'kubevirt.io/created-by': vmiUid },
      annotations: { 'kubevirt.io/domain': vmiName },
    },
    spec: {
      nodeName: 'node-a',
      containers: [{ name: 'compute', image: launcherImage }],
      initContainers: [
        { name: 'guest-console-log', image: launcherImage, restartPolicy: 'Always' },
        { name: 'volumeboot', image },
      ],
      ...(claimName === undefined ? {} : { volumes: [{ name: claimName, persistentVolumeClaim: { claimName } }] }),
      readinessGates: [{ conditionType: 'kubevirt.io/virtual-machine-unpaused' }],
    },
    status: {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'kubevirt.io/virtual-machine-unpaused', status: 'True', reason: 'NotPaused' },
      ],
    },
  };
}

/** Its VMI, handed over to the node's agent. */
export function scheduledVmi(name: string, uid: string, image = 'local/guest'): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default', uid, labels: { 'kubevirt.io/nodeName': 'node-a' } },
    spec: {
      terminationGracePeriodSeconds: 5,
      domain: {
        devices: {
          disks: [{ name: 'boot', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
        resources: { requests: { memory: '64Mi' } },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ name: 'boot', containerDisk: { image } }],
    } as VirtualMachineInstance['spec'],
    status: {
      phase: 'Scheduled',
      nodeName: 'node-a',
      conditions: [{ type: 'Ready', status: 'False', reason: 'GuestNotRunning' }],
      phaseTransitionTimestamps: [{ phase: 'Scheduled', phaseTransitionTimestamp: '2026-01-01T00:00:01Z' }],
    },
  };
}

/** The pod that brings a claim of that name to a running VMI's node, bound already, as the VMI controller makes it. */
export function attachmentPod(vmiName: string, claimName: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `hp-volume-${claimName}`,
      namespace: 'default',
      uid: `attachment-of-${claimName}`,
      labels: { 'kubevirt.io': 'hotplug-disk' },
      annotations: { 'kubevirt.io/owner-vmi-name': vmiName },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Pod', name: `virt-launcher-${vmiName}`, uid: `pod-of-${vmiName}`, controller: true },
      ],
    },
    spec: {
      nodeName: 'node-a',
      containers: [{ name: 'hotplug-disk', image: launcherImage }],
      volumes: [
        { name: 'hotplug-disks', emptyDir: {} },
        { name: claimName, persistentVolumeClaim: { claimName } },
      ],
    },
    status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] },
  };
}
