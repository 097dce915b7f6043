import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { boundedName } from '../../core/bounded-name.ts';
import { keyFor, type ObjectIndex } from '../../core/object-index.ts';
import type { PersistentVolumeClaim, VirtualMachine } from '../../core/objects.ts';
import { STATE_OF } from '../backend-storage/names.ts';
import { needsBackendStorage } from '../backend-storage/need.ts';

/** Claims with the state of a VM, by the VM's key. */
export const byStateOf: ObjectIndex<PersistentVolumeClaim> = {
  name: 'state-of',
  valuesOf: ({ metadata }) => {
    const machine = metadata.labels?.[STATE_OF];
    return machine === undefined ? [] : [keyFor(metadata.namespace, machine)];
  },
};

/** Whether a VM keeps state on a claim of its own (snapshot-restore.md 5). */
export function usesBackendStorage({ spec, status }: VirtualMachine): boolean {
  const instance = spec.template?.spec;
  return instance !== undefined && needsBackendStorage({ spec: instance, status });
}

export type AllVolumes =
  | { readonly type: 'volumes'; readonly volumes: readonly V1Volume[] }
  /** The VM has no claim for its state yet: the volumes are the template's. */
  | { readonly type: 'no-backend-claim'; readonly volumes: readonly V1Volume[] }
  | { readonly type: 'error'; readonly message: string };

/** A VM's volumes, that of its state included (snapshot-restore.md 5). `backendClaims`: those of the index `byStateOf`. */
export function allVolumes(vm: VirtualMachine, backendClaims: readonly PersistentVolumeClaim[]): AllVolumes {
  const volumes = vm.spec.template?.spec?.volumes ?? [];
  if (!usesBackendStorage(vm)) return { type: 'volumes', volumes };
  const claim = backendClaims.length <= 1 ? backendClaims[0] : newestLiving(backendClaims);
  if (claim === undefined) {
    if (backendClaims.length === 0) return { type: 'no-backend-claim', volumes };
    return { type: 'error', message: `all claims with the state of ${vm.metadata.name} are being deleted` };
  }
  const state = {
    name: boundedName(STATE_OF, vm.metadata.name),
    persistentVolumeClaim: { claimName: claim.metadata.name },
  };
  return { type: 'volumes', volumes: [...volumes, state] };
}

function newestLiving(claims: readonly PersistentVolumeClaim[]): PersistentVolumeClaim | undefined {
  const age = (c: PersistentVolumeClaim) => Date.parse(c.metadata.creationTimestamp ?? '') || 0;
  const living = claims.filter((c) => c.metadata.deletionTimestamp === undefined);
  return living.reduce<PersistentVolumeClaim | undefined>(
    (newest, c) => (newest === undefined || age(c) > age(newest) ? c : newest),
    undefined,
  );
}
