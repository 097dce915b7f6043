import type { ClusterConfiguration } from '../../functions/core/configuration/configuration.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { writtenForm } from '../../functions/core/written-form/written-form.ts';
import { makeInstance } from '../../functions/vm/made-instance.ts';
import { checked } from './checked.ts';
import type { Manifest } from './manifest.ts';
import { profileOf } from './profile.ts';

/** What the API server gives to every new object, and no manifest has. */
const UID_TO_COME = '00000000-0000-0000-0000-000000000000';
const FIRST_GENERATION = 1;

/**
 * The VMI that a manifest stands for: its own, or the one that the VM controller would make of a VM (vm.md 5.10).
 *
 * @throws BadInput
 */
export function instanceOf(
  manifest: Manifest,
  configuration: ClusterConfiguration,
  given: readonly Manifest[],
): VirtualMachineInstance {
  if (manifest.kind !== 'VirtualMachine') {
    return named(checked(manifest, 'VirtualMachineInstance') as unknown as VirtualMachineInstance);
  }
  const vm = named(checked(manifest, 'VirtualMachine') as unknown as VirtualMachine);
  if (vm.spec.template === undefined) throw manifest.bad(['spec', 'template'], 'is not there');
  const profile = profileOf(vm, manifest, given);
  const revisionName = 'revision-to-come';
  const made = makeInstance({ vm, profile, revisionName, configuration: configuration.kubevirt });
  if (made.type !== 'made') throw manifest.bad(['spec', 'template'], `cannot be started: ${made.message}`);
  return named(writtenForm(made.instance));
}

function named<T extends VirtualMachine | VirtualMachineInstance>(object: T): T {
  const { namespace = 'default', uid = UID_TO_COME, generation = FIRST_GENERATION } = object.metadata;
  return { ...object, metadata: { ...object.metadata, namespace, uid, generation } };
}
