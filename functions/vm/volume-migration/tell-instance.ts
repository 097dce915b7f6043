/** What a VMI is told of a migration of its volumes (vm.md 7.5, 7.6). */
import type { V1StorageMigratedVolumeInfo } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { testAndReplace } from '../../core/json-patch.ts';
import type { Condition, VirtualMachineInstance } from '../../core/objects.ts';
import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { editedTemplate } from '../edit-copy.ts';
import { patchInstance, withSpec, withStatus } from '../instance-patch.ts';
import type { Failure, Pass } from '../pass.ts';
import { next, type Step } from '../step.ts';
import { refuseUpdate } from './refuse.ts';

/** Step 5: which volumes move; a list that is there is left. */
export function tellVolumes(
  pass: Pass,
  instance: VirtualMachineInstance,
  list: V1StorageMigratedVolumeInfo[],
): Failure | undefined {
  const old = instance.status?.migratedVolumes;
  if ((old?.length ?? 0) > 0 || list.length === 0) return undefined;
  const operations = testAndReplace('/status/migratedVolumes', old, list);
  return patchInstance(pass, 'vmi-migrated-volumes', operations, withStatus(instance, { migratedVolumes: list }));
}

/**
 * Step 6: the volumes that the VMI has been told of, and shows, are replaced by the template's. `seen`: the VMI without what
 * this pass has told it.
 */
export function switchVolumes(
  pass: Pass,
  instance: VirtualMachineInstance,
  seen: VirtualMachineInstance,
): Failure | undefined {
  const told = new Set(seen.status?.migratedVolumes?.map((m) => m.volumeName));
  const wanted = new Map((editedTemplate(pass).volumes ?? []).map((v) => [v.name, v]));
  const old = instance.spec.volumes;
  const volumes = (old ?? []).map((v) => (told.has(v.name) ? (wanted.get(v.name) ?? v) : v));
  if (semanticallyEqual(old, volumes, '[]Volume')) return undefined;
  const operations = testAndReplace('/spec/volumes', old, volumes);
  return patchInstance(pass, 'vmi-switch-volumes', operations, withSpec(instance, { volumes }));
}

/** Sets the VMI's conditions, if they are others. */
export function setConditions(pass: Pass, instance: VirtualMachineInstance, conditions: Condition[] | undefined): Step {
  const old = instance.status?.conditions;
  if (conditions === old) return next;
  const operations = testAndReplace('/status/conditions', old, conditions ?? []);
  const failure = patchInstance(pass, 'vmi-volumes-change', operations, withStatus(instance, { conditions }));
  return failure === undefined ? next : refuseUpdate(failure.message);
}
