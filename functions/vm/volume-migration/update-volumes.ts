import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { isConditionStatus, removeCondition, updateCondition } from '../../core/conditions.ts';
import { timestamp } from '../../core/context.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { editedTemplate, editStatus } from '../edit-copy.ts';
import { condition } from '../names.ts';
import type { Pass } from '../pass.ts';
import { requireRestart } from '../restart-required.ts';
import { next, type Step } from '../step.ts';
import { cancelMigration } from './cancel.ts';
import { migratedVolumes, receivedVolumes } from './migrated-volumes.ts';
import { obstacleTo } from './obstacle.ts';
import { refuseUpdate } from './refuse.ts';
import { setConditions, switchVolumes, tellVolumes } from './tell-instance.ts';
import { updatedVolumes } from './updated-volumes.ts';
import { validateVolumes } from './validate-volumes.ts';

type Updated = ReadonlyMap<string, V1Volume>;

/** Claims of a running VMI's volumes: they change by a migration of the volumes, if the VM wants that (vm.md 7.5, 7.6). */
export function updateVolumes(pass: Pass): Step {
  const { instance, vm } = pass;
  if (instance === undefined) return next;
  if (vm.spec.runStrategy === 'WaitAsReceiver') return tellReceived(pass, instance);

  const updated = updatedVolumes(editedTemplate(pass).volumes, instance.spec.volumes);
  const isUnderWay = isConditionStatus(instance.status?.conditions, condition.volumesChange);
  const isTouched = instance.status?.migratedVolumes?.some((m) => updated.has(m.volumeName)) === true;
  if (isUnderWay && isTouched) return cancelMigration(pass, instance, updated);

  switch (vm.spec.updateVolumesStrategy ?? '') {
    case '':
    case 'Replacement':
      return next;
    case 'Migration':
      return updated.size === 0 ? next : migrate(pass, instance, updated);
    default:
      return refuseUpdate(`unknown strategy ${vm.spec.updateVolumesStrategy}`);
  }
}

/** Steps 4 to 7: first the VMI is told which volumes move, and once it shows that, they are switched. */
function migrate(pass: Pass, instance: VirtualMachineInstance, updated: Updated): Step {
  const validity = validateVolumes(updated.values(), instance, pass.reads);
  switch (validity.type) {
    case 'not-found': {
      const { message } = validity;
      const lastTransitionTime = timestamp(pass.context.nowMs);
      const missing = { type: condition.volumesChange, status: 'False', message, lastTransitionTime };
      return setConditions(pass, instance, updateCondition(instance.status?.conditions, missing));
    }
    case 'invalid':
      requireRestart(pass, validity.message);
      return next;
    case 'valid':
      break;
  }
  const ready = setConditions(pass, instance, removeCondition(instance.status?.conditions, condition.volumesChange));
  if (ready.type !== 'next') return ready;

  const list = migratedVolumes(updated, instance, pass.reads.claims);
  const obstacle = obstacleTo(updated, instance);
  if (obstacle !== undefined) {
    requireRestart(pass, obstacle);
    return next;
  }
  const told =
    tellVolumes(pass, pass.instance ?? instance, list) ?? switchVolumes(pass, pass.instance ?? instance, instance);
  if (told !== undefined) return refuseUpdate(told.message);
  if (list.length > 0) {
    const { status } = pass.editCopy;
    const volumeMigrationState = { ...status?.volumeUpdateState?.volumeMigrationState, migratedVolumes: list };
    editStatus(pass, { ...status, volumeUpdateState: { ...status?.volumeUpdateState, volumeMigrationState } });
  }
  return next;
}

/** vm.md 7.6. */
function tellReceived(pass: Pass, instance: VirtualMachineInstance): Step {
  if (instance.status?.migrationState?.completed === true) return next;
  const list = receivedVolumes(editedTemplate(pass).volumes, instance, pass.reads.claims);
  const failure = tellVolumes(pass, instance, list);
  return failure === undefined ? next : refuseUpdate(failure.message);
}
