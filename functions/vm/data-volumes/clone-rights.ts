import type { AccessAllowed, AccessAttributes } from '../../core/action.ts';
import type { VirtualMachine } from '../../core/objects.ts';
import { templateVolumes } from '../template-volumes.ts';
import type { Clone } from './clone-source.ts';

/** The service account on whose behalf a VM clones (vm.md 8, step 4). */
export function cloningServiceAccount(vm: VirtualMachine): string {
  const named = (vm.spec.template?.spec as { serviceAccountName?: string } | undefined)?.serviceAccountName;
  const mounted = templateVolumes(vm).find((v) => v.serviceAccount !== undefined)?.serviceAccount?.serviceAccountName;
  return named || mounted || 'default';
}

/**
 * That the VM's service account may clone from another namespace, as a precondition (vm.md 8, "clone authorisation"). Any one
 * of the lists is enough; the second is what roles had before there was the first.
 */
export function mayClone(vm: VirtualMachine, { type, namespace, name }: Clone): AccessAllowed {
  const { namespace: own = '' } = vm.metadata;
  const create = (attributes: Pick<AccessAttributes, 'resource' | 'group' | 'subresource'>): AccessAttributes => ({
    verb: 'create',
    ...attributes,
    namespace,
    name,
  });
  const source = create({ group: 'cdi.kubevirt.io', resource: 'datavolumes', subresource: 'source' });
  const parts = type === 'pvc' ? ['pods'] : ['pods', 'pvcs'];
  return {
    type: 'access-allowed',
    user: `system:serviceaccount:${own}:${cloningServiceAccount(vm)}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${own}`, 'system:authenticated'],
    anyOf: [[source], parts.map((resource) => create({ resource }))],
  };
}
