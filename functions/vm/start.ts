import { isConditionStatus } from '../core/conditions.ts';
import { failureOf } from '../core/context.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import { ensureDataVolumes } from './data-volumes/ensure-data-volumes.ts';
import { addDefaultNetwork } from './default-network.ts';
import { instanceFrom } from './instance.ts';
import { condition } from './names.ts';
import { intent, type Pass } from './pass.ts';
import { removedBindings } from './removed-bindings.ts';
import { withoutRestartRequired } from './restart-required.ts';
import { ensureStartRevision } from './start-revision.ts';

/**
 * Creates the VMI (vm.md 5.10). Returns the text of an error; without one there may still be no VMI, when the VM is not to
 * be started now.
 */
export function start(pass: Pass): string | undefined {
  const dataVolumes = ensureDataVolumes(pass);
  if (dataVolumes.type === 'error') return `Failure while starting the VMI: ${dataVolumes.message}`;
  if (dataVolumes.type === 'not-ready') return undefined;
  if (isConditionStatus(pass.vm.status?.conditions, condition.manualRecoveryRequired)) return undefined;
  pass.vm = withoutRestartRequired(pass.vm);

  const refused = failureOf(pass.context, intent.createInstance);
  if (refused !== undefined) return notCreated(pass, refused.message);

  const revision = ensureStartRevision(pass);
  if (revision.type === 'error') return `Failure while starting the VMI: ${revision.message}`;

  const bare = instanceFrom(pass, revision.name);
  const networked = addDefaultNetwork(bare, pass.context.configuration.kubevirt);
  if (networked.type === 'error') return `Failure while starting the VMI: ${networked.message}`;
  const bindings = removedBindings(networked.instance);
  if (bindings.length > 0) return `Failure while starting the VMI: binding no longer supported: ${bindings.join(', ')}`;

  // The request would be refused: the snapshot shows the one that has the name.
  if (pass.claim.type === 'foreign') return notCreated(pass, `${pass.vm.metadata.name} already exists`);
  pass.actions.push({
    id: intent.createInstance,
    verb: 'create',
    object: writtenForm(networked.instance),
    expect: true,
  });
  const message = `Started the virtual machine by creating virtual machine instance ${pass.vm.metadata.name}`;
  pass.event('Normal', 'SuccessfulCreate', message);
  return undefined;
}

function notCreated(pass: Pass, cause: string): string {
  const { name } = pass.vm.metadata;
  pass.event('Warning', 'FailedCreate', `Error creating virtual machine instance ${name}: ${cause}`);
  return `Failure while starting the VMI: ${cause}`;
}
