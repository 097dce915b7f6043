import { pointer } from '../core/json-patch.ts';
import { PersistentVolumeClaim, Pod, VirtualMachineInstance } from '../core/kinds.ts';
import { defineWrites } from '../core/writes.ts';
import { annotation, label } from './names.ts';

/** What the VMI controller writes (vmi.md 6, 8, 10). */
export const vmiWrites = defineWrites('vmi', [
  {
    kind: VirtualMachineInstance,
    verbs: ['update', 'patch'],
    fields: [
      pointer('metadata', 'annotations', annotation.latestObservedApiVersion),
      pointer('metadata', 'annotations', annotation.storageObservedApiVersion),
      pointer('metadata', 'labels', label.nodeName),
      pointer('metadata', 'labels', label.outdatedLauncherImage),
      pointer('metadata', 'labels', label.memoryHotplugOverheadRatio),
      '/metadata/finalizers',
      // Rendering a pod completes the probes (vmi.md 3.10).
      '/spec/readinessProbe',
      '/spec/livenessProbe',
      '/status',
    ],
  },
  {
    kind: Pod,
    verbs: ['create', 'patch', 'delete'],
    // Which keys are carried over from the VMI is the cluster's choice (vmi.md 8.5).
    fields: ['/metadata/labels', '/metadata/annotations'],
  },
  // For its state (vmi.md 9.2).
  { kind: PersistentVolumeClaim, verbs: ['create', 'delete'] },
  { kind: Pod, subresource: 'status', verbs: ['patch'], fields: ['/status/conditions'] },
]);
