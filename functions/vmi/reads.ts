import { defineController } from '../core/controller.ts';
import {
  Namespace,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  VirtualMachine,
  VirtualMachineInstance,
} from '../core/kinds.ts';
import { byController, byName, byNamespace, keyFor } from '../core/object-index.ts';
import type * as objects from '../core/objects.ts';
import { controllerOf } from '../core/owner.ts';
import { many, one } from '../core/reads.ts';
import { claimProjection } from './claim-projection.ts';
import { claimNamesOf } from './volume-claims.ts';
import { byVsockId, HAS_VSOCK_ID, lacksVsockId, vsockIdOnly } from './vsock.ts';

/** What the VMI controller looks at (vmi.md 2). */
export const vmi = defineController({
  name: 'vmi',
  primary: VirtualMachineInstance,
  concurrency: 10,
  eventSource: 'virtualmachine-controller',
  reads: {
    /** Launcher, temporary and migration target pods, finished and dying ones too. */
    pods: many(Pod).by(byController, (instance: objects.VirtualMachineInstance) => instance.metadata.uid),
    /** Only whether it is there, under which uid. */
    owner: one(VirtualMachine).named(ownerKey).only(identity),
    /** Claims that the volumes name. */
    claims: many(PersistentVolumeClaim).by(byName, claimKeys).only(claimProjection),
    /** For limits that rendering adds (launcher-pod.md 1.2); they enqueue nothing. */
    quotas: many(ResourceQuota).by(byNamespace, namespaceOf).quietly(),
    namespace: one(Namespace).named(namespaceOf).quietly(),
    /** Whose VSOCK ids are taken, whoever gave them (vmi.md 11.2); looked up only for a VMI that is to get one. */
    vsockHolders: many(VirtualMachineInstance)
      .by(byVsockId, (instance: objects.VirtualMachineInstance) => (lacksVsockId(instance) ? HAS_VSOCK_ID : undefined))
      .only(vsockIdOnly)
      .quietly(),
  },
  revisitWhen: (configuration) => configuration.skipBackupHooks ?? '',
});

function namespaceOf(instance: objects.VirtualMachineInstance): string | undefined {
  return instance.metadata.namespace;
}

/** The VM that the controller reference names; its uid is compared later (vmi.md 8.3, final phases). */
function ownerKey(instance: objects.VirtualMachineInstance): string | undefined {
  const owner = controllerOf(instance);
  return owner?.kind === 'VirtualMachine' ? keyFor(instance.metadata.namespace, owner.name) : undefined;
}

function claimKeys(instance: objects.VirtualMachineInstance): readonly string[] {
  return claimNamesOf(instance).map((name) => keyFor(instance.metadata.namespace, name));
}

function identity(vm: objects.VirtualMachine): objects.VirtualMachine {
  const { name, namespace, uid, resourceVersion } = vm.metadata;
  return {
    apiVersion: vm.apiVersion,
    kind: vm.kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: {} as objects.VirtualMachine['spec'],
  };
}
