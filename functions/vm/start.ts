import { isConditionStatus } from '../core/conditions.ts';
import { failureOf } from '../core/context.ts';
import type { VirtualMachine } from '../core/objects.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import { withMissingAnnotations } from '../rules/instancetype/annotations.ts';
import { withTracking } from './changed-block-tracking.ts';
import { ensureDataVolumes } from './data-volumes/ensure-data-volumes.ts';
import { makeInstance } from './made-instance.ts';
import { condition } from './names.ts';
import { intent, type Pass } from './pass.ts';
import { withoutRestartRequired } from './restart-required.ts';
import { ensureStartRevision } from './start-revision.ts';
import { isInterrupted } from './volume-migration/next-volume-migration.ts';

/**
 * Creates the VMI (vm.md 5.10). Returns the text of an error; without one there may still be no VMI, when the VM is not to
 * be started now.
 */
export function start(pass: Pass): string | undefined {
  const dataVolumes = ensureDataVolumes(pass);
  if (dataVolumes.type === 'error') return `Failure while starting the VMI: ${dataVolumes.message}`;
  if (dataVolumes.type === 'not-ready') return undefined;
  if (isConditionStatus(pass.vm.status?.conditions, condition.manualRecoveryRequired)) return undefined;
  if (isInterrupted(pass.vm)) return undefined;
  pass.vm = withoutRestartRequired(pass.vm);

  const refused = failureOf(pass.context, intent.createInstance);
  if (refused !== undefined) return notCreated(pass, refused.message);

  const vm = vmToStart(pass);
  const revision = ensureStartRevision(pass, vm);
  if (revision.type === 'error') return `Failure while starting the VMI: ${revision.message}`;

  const { profile, context } = pass;
  const configuration = context.configuration.kubevirt;
  const made = makeInstance({ vm, profile, revisionName: revision.name, configuration });
  if (made.type === 'not-applicable') return notCreated(pass, made.message);
  if (made.type === 'refused') return `Failure while starting the VMI: ${made.message}`;

  // The request would be refused: the snapshot shows the one that has the name.
  if (pass.claim.type === 'foreign') return notCreated(pass, `${pass.vm.metadata.name} already exists`);
  pass.actions.push({
    id: intent.createInstance,
    verb: 'create',
    object: writtenForm(withTracking(pass, made.instance)),
    expect: true,
  });
  const message = `Started the virtual machine by creating virtual machine instance ${pass.vm.metadata.name}`;
  pass.event('Normal', 'SuccessfulCreate', message);
  return undefined;
}

/**
 * The VM as its revision and its VMI are made from it: in the pass that stores its instance type the template has the instance
 * type's annotations, which the stored VM never gets (vm.md 10.2).
 */
function vmToStart({ vm, storedAnnotations }: Pass): VirtualMachine {
  const { template } = vm.spec;
  if (template === undefined || storedAnnotations === undefined) return vm;
  return { ...vm, spec: { ...vm.spec, template: withMissingAnnotations(template, storedAnnotations) } };
}

function notCreated(pass: Pass, cause: string): string {
  const { name } = pass.vm.metadata;
  pass.event('Warning', 'FailedCreate', `Error creating virtual machine instance ${name}: ${cause}`);
  return `Failure while starting the VMI: ${cause}`;
}
