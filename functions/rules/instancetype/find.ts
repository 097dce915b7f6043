import type { ControllerRevision, VirtualMachineInstancetype, VirtualMachinePreference } from '../../core/objects.ts';
import { type Decoded, decodeRevision, specOf } from './decode-revision.ts';
import type { Profile } from './profile.ts';
import { holdsObjectNamed } from './revision-labels.ts';
import {
  instancetypeSide,
  type Matched,
  matchedKind,
  matcherOf,
  preferenceSide,
  refOf,
  revisionNameIn,
  type Side,
} from './side.ts';

/** Where instance types, preferences and the revisions that keep them are looked for. */
export interface Sources {
  /** Namespaced and cluster-wide ones. */
  readonly instancetypes: readonly VirtualMachineInstancetype[];
  readonly preferences: readonly VirtualMachinePreference[];
  /** Of the VM's namespace. */
  readonly revisions: readonly ControllerRevision[];
}

export type Found<T> =
  | { readonly type: 'found'; readonly object: T }
  /** The VM has no such matcher. */
  | { readonly type: 'none' }
  | { readonly type: 'error'; readonly message: string };

export function findInstancetype(vm: Matched, sources: Sources): Found<VirtualMachineInstancetype> {
  return find(instancetypeSide, vm, sources.instancetypes, sources.revisions);
}

export function findPreference(vm: Matched, sources: Sources): Found<VirtualMachinePreference> {
  return find(preferenceSide, vm, sources.preferences, sources.revisions);
}

export type FoundProfile =
  | { readonly type: 'found'; readonly profile: Profile }
  | { readonly type: 'error'; readonly side: Side; readonly message: string };

/** Both specs that a VM's matchers name (vm.md 10.1, step 1). */
export function findProfile(vm: Matched, sources: Sources): FoundProfile {
  const instancetype = findInstancetype(vm, sources);
  if (instancetype.type === 'error') return { ...instancetype, side: instancetypeSide };
  const preference = findPreference(vm, sources);
  if (preference.type === 'error') return { ...preference, side: preferenceSide };
  return {
    type: 'found',
    profile: {
      ...(instancetype.type === 'found' ? { instancetype: instancetype.object.spec } : {}),
      ...(preference.type === 'found' ? { preference: preference.object.spec } : {}),
    },
  };
}

/** In the order of vm.md 10.3: the revision of the spec, the revision of the status if it is of that name, the object. */
function find<T extends VirtualMachineInstancetype | VirtualMachinePreference>(
  side: Side<T>,
  vm: Matched,
  objects: readonly T[],
  revisions: readonly ControllerRevision[],
): Found<T> {
  const matcher = matcherOf(side, vm);
  if (matcher === undefined) return { type: 'none' };
  if (matcher.revisionName) return foundIn(side, matcher.revisionName, revisions);
  const stored = revisionNameIn(refOf(side, vm));
  if (stored !== undefined) {
    const revision = revisions.find((r) => r.metadata.name === stored);
    if (revision === undefined) return missing(`revision ${stored}`);
    if (holdsObjectNamed(revision, matcher.name)) return found(decodeRevision(side, revision));
  }
  return findObject(side, vm, objects);
}

/** The object that the matcher names by kind and name, whatever revisions there are (vm.md 10.3, step 3). */
export function findObject<T extends VirtualMachineInstancetype | VirtualMachinePreference>(
  side: Side<T>,
  vm: Matched,
  objects: readonly T[],
): Found<T> {
  const matcher = matcherOf(side, vm) ?? {};
  const kind = matchedKind(side, matcher);
  if (kind === undefined) return { type: 'error', message: `${matcher.kind} is no kind of ${side.matcher}` };
  const namespace = kind.namespaced ? vm.metadata.namespace : undefined;
  const object = objects.find(
    ({ kind: k, metadata: m }) => k === kind.kind && m.name === matcher.name && m.namespace === namespace,
  );
  if (object === undefined) return missing(`${kind.kind} ${matcher.name ?? ''}`);
  const spec = specOf(side, object.spec);
  return spec.type === 'misfit'
    ? { type: 'error', message: `${kind.kind} ${object.metadata.name}: ${spec.message}` }
    : { type: 'found', object: { ...object, spec: spec.spec } };
}

function foundIn<T extends VirtualMachineInstancetype | VirtualMachinePreference>(
  side: Side<T>,
  name: string,
  revisions: readonly ControllerRevision[],
): Found<T> {
  const revision = revisions.find((r) => r.metadata.name === name);
  return revision === undefined ? missing(`revision ${name}`) : found(decodeRevision(side, revision));
}

function found<T>(decoded: Decoded<T>): Found<T> {
  return decoded.type === 'decoded' ? { type: 'found', object: decoded.object } : decoded;
}

function missing(what: string): { type: 'error'; message: string } {
  return { type: 'error', message: `${what} not found` };
}
