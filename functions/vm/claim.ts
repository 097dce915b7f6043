import type { KubeObject } from '../core/objects.ts';
import { controllerOf, isControlledBy, ownerReferenceTo } from '../core/owner.ts';
import { nameOf } from './data-volumes/manifest.ts';
import { type Failure, type Pass, refTo } from './pass.ts';
import { hardError, next, type Step } from './step.ts';

/** Ownership of the VMI and of the templates' data volumes, and adoption of those that have no owner (vm.md 3.2). */
export function claim(pass: Pass): Step {
  const claimed = claimInstance(pass);
  return claimed.type === 'next' ? claimDataVolumes(pass) : claimed;
}

function claimInstance(pass: Pass): Step {
  const { instance } = pass.reads;
  if (instance === undefined) return next;
  pass.claim = isControlledBy(instance, pass.vm) ? { type: 'claimed', instance } : { type: 'foreign' };
  if (!mayAdopt(pass, instance)) return next;
  const failure = adopt(pass, 'adopt-vmi', instance);
  if (failure !== undefined) return hardError(`adopting the VMI: ${failure.message}`);
  pass.claim = { type: 'claimed', instance };
  return next;
}

/** Whoever owns them, they count for the start of the VM: only the adoption matters. */
function claimDataVolumes(pass: Pass): Step {
  const templated = new Set(pass.vm.spec.dataVolumeTemplates?.map(nameOf));
  const failures = pass.reads.dataVolumes
    .filter((d) => templated.has(d.metadata.name) && mayAdopt(pass, d))
    .flatMap((d) => adopt(pass, `adopt-data-volume ${d.metadata.name}`, d) ?? []);
  return failures.length === 0 ? next : hardError(`adopting: ${failures.map((f) => f.message).join(', ')}`);
}

function mayAdopt({ vm }: Pass, object: KubeObject): boolean {
  const isAlive = vm.metadata.deletionTimestamp === undefined && object.metadata.deletionTimestamp === undefined;
  return isAlive && controllerOf(object) === undefined;
}

function adopt(pass: Pass, id: string, object: KubeObject): Failure | undefined {
  const { vm } = pass;
  const { uid = '', resourceVersion = '' } = object.metadata;
  return pass.attempt({
    id,
    verb: 'patch',
    target: refTo(object),
    patch: { type: 'merge', body: { metadata: { ownerReferences: [ownerReferenceTo(vm)] } }, uid, resourceVersion },
    preconditions: [{ type: 'live', ...refTo(vm), uid: vm.metadata.uid ?? '' }],
  });
}
