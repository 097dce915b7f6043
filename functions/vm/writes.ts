import { pointer } from '../core/json-patch.ts';
import {
  ControllerRevision,
  DataVolume,
  PersistentVolumeClaim,
  SubjectAccessReview,
  VirtualMachine,
  VirtualMachineInstance,
} from '../core/kinds.ts';
import { defineWrites } from '../core/writes.ts';
import { annotation } from './names.ts';

/** What the VM controller writes (vm.md 3 to 14). */
export const vmWrites = defineWrites('vm', [
  {
    kind: VirtualMachine,
    verbs: ['update', 'patch'],
    fields: [
      pointer('metadata', 'annotations', annotation.latestObservedApiVersion),
      pointer('metadata', 'annotations', annotation.storageObservedApiVersion),
      '/metadata/finalizers',
      // Expansion of instance type and preference writes the template whole (vm.md 10.7).
      '/spec/instancetype',
      '/spec/preference',
      '/spec/template',
      '/spec/running',
      '/spec/runStrategy',
    ],
  },
  { kind: VirtualMachine, subresource: 'status', verbs: ['update', 'patch'], fields: ['/status'] },
  {
    kind: VirtualMachineInstance,
    verbs: ['create', 'patch', 'delete'],
    fields: [
      '/metadata/ownerReferences',
      '/metadata/finalizers',
      // By patterns that flags name (vm.md 6.6).
      '/metadata/labels',
      '/metadata/annotations',
      '/spec/networks',
      '/spec/domain/devices/interfaces',
      '/spec/domain/devices/disks',
      '/spec/domain/cpu/sockets',
      '/spec/domain/memory/guest',
      '/spec/domain/resources',
      '/spec/affinity',
      '/spec/nodeSelector',
      '/spec/tolerations',
      '/spec/volumes',
      '/status/conditions',
      '/status/migratedVolumes',
    ],
  },
  { kind: ControllerRevision, verbs: ['create', 'delete'] },
  { kind: DataVolume, verbs: ['create', 'patch'], fields: ['/metadata/ownerReferences'] },
  { kind: VirtualMachineInstance, subresource: 'addvolume', verbs: ['update'] },
  { kind: VirtualMachineInstance, subresource: 'removevolume', verbs: ['update'] },
  {
    kind: PersistentVolumeClaim,
    verbs: ['patch'],
    fields: [pointer('metadata', 'annotations', annotation.memoryDump)],
  },
  { kind: SubjectAccessReview, verbs: ['create'] },
]);
