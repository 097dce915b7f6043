import { VirtualMachineClusterInstancetype, VirtualMachineClusterPreference } from '../../functions/core/kinds.ts';
import type {
  ControllerRevision,
  KubeObject,
  VirtualMachine,
  VirtualMachineInstancetype,
  VirtualMachinePreference,
} from '../../functions/core/objects.ts';
import { findProfile } from '../../functions/rules/instancetype/find.ts';
import type { Profile } from '../../functions/rules/instancetype/profile.ts';
import { instancetypeSide, preferenceSide, type Side } from '../../functions/rules/instancetype/side.ts';
import { checked } from './checked.ts';
import type { Manifest } from './manifest.ts';

const kindsOf = ({ namespaced, cluster }: Side) => [namespaced.kind, cluster.kind];
const clusterWide: readonly string[] = [VirtualMachineClusterInstancetype.kind, VirtualMachineClusterPreference.kind];

/** Kinds that a VM's matchers name. */
export const PROFILE_KINDS = [...kindsOf(instancetypeSide), ...kindsOf(preferenceSide), 'ControllerRevision'];

/**
 * Instance type and preference of a VM among the given objects (vm.md 10.3). What the VM's status refers to is a cluster's: it
 * does not count here.
 *
 * @throws BadInput
 */
export function profileOf({ metadata, spec }: VirtualMachine, manifest: Manifest, given: readonly Manifest[]): Profile {
  const found = findProfile(
    { metadata, spec },
    {
      instancetypes: objectsOf<VirtualMachineInstancetype>(
        given,
        kindsOf(instancetypeSide),
        'VirtualMachineInstancetype',
      ),
      preferences: objectsOf<VirtualMachinePreference>(given, kindsOf(preferenceSide), 'VirtualMachinePreference'),
      revisions: objectsOf<ControllerRevision>(given, ['ControllerRevision']),
    },
  );
  if (found.type === 'found') return found.profile;
  throw manifest.bad(['spec', found.side.matcher], `names what no file gives: ${found.message}`);
}

function objectsOf<T extends KubeObject>(
  given: readonly Manifest[],
  kinds: readonly string[],
  type?: 'VirtualMachineInstancetype' | 'VirtualMachinePreference',
): readonly T[] {
  return given
    .filter(({ kind }) => kinds.includes(kind))
    .map((manifest) => placed((type === undefined ? manifest.object : checked(manifest, type)) as unknown as T));
}

function placed<T extends KubeObject>(object: T): T {
  if (clusterWide.includes(object.kind)) return object;
  const { namespace = 'default' } = object.metadata;
  return { ...object, metadata: { ...object.metadata, namespace } };
}
