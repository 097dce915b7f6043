import type { JsonPatchOperation } from '../../core/action.ts';
import { addOp, testOp } from '../../core/json-patch.ts';
import type { KubeObject, VirtualMachine } from '../../core/objects.ts';
import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { applyInstancetype } from '../../rules/instancetype/apply-instancetype.ts';
import { conflictText } from '../../rules/instancetype/apply-profile.ts';
import { type Found, findObject } from '../../rules/instancetype/find.ts';
import type { InstancetypeSpec, PreferenceSpec } from '../../rules/instancetype/profile.ts';
import {
  instancetypeSide,
  matcherOf,
  preferenceSide,
  refOf,
  revisionNameIn,
  type Side,
  type StatusRef,
} from '../../rules/instancetype/side.ts';
import { syncedRef } from '../../rules/instancetype/status-ref.ts';
import { type Pass, refTo } from '../pass.ts';
import { ensureRevision } from './ensure-revision.ts';
import { sourcesOf } from './sources.ts';

/**
 * Brings the status references after the matchers, and keeps what they name as revisions of the VM (vm.md 10.2, store).
 * Returns the text of an error: the working VM then has the references as far as they got, and the status stores them.
 */
export function storeReferences(pass: Pass): string | undefined {
  const before = pass.vm;
  const error = storeInstancetype(pass) ?? storePreference(pass);
  if (error !== undefined) return error;
  const operations = changedReferences(before, pass.vm);
  if (operations.length === 0) return undefined;
  const failure = pass.attempt({
    id: 'store-references',
    verb: 'patch',
    subresource: 'status',
    target: refTo(pass.vm),
    patch: { type: 'json', operations },
  });
  return failure === undefined ? undefined : `storing the references: ${failure.message}`;
}

function storeInstancetype(pass: Pass): string | undefined {
  const matcher = matcherOf(instancetypeSide, pass.vm);
  if (matcher === undefined || synced(pass, instancetypeSide)) return undefined;
  const found = findObject(instancetypeSide, pass.vm, sourcesOf(pass).instancetypes);
  if (found.type !== 'found') return errorOf(found);
  const { spec } = found.object;
  const conflict = conflictWith(pass.vm, spec);
  if (conflict !== undefined) return conflict;
  pass.storedAnnotations = spec.annotations;
  return keep(pass, instancetypeSide, found.object, { instancetype: spec });
}

function storePreference(pass: Pass): string | undefined {
  const matcher = matcherOf(preferenceSide, pass.vm);
  if (matcher === undefined || synced(pass, preferenceSide)) return undefined;
  const found = findObject(preferenceSide, pass.vm, sourcesOf(pass).preferences);
  if (found.type !== 'found') return errorOf(found);
  return keep(pass, preferenceSide, found.object, { preference: found.object.spec });
}

/** Steps 1 to 3; whether the reference names a revision after them. */
function synced(pass: Pass, side: Side): boolean {
  const ref = syncedRef(matcherOf(side, pass.vm) ?? {}, refOf(side, pass.vm));
  pass.vm = withRef(pass.vm, side, ref);
  return revisionNameIn(ref) !== undefined;
}

function keep(
  pass: Pass,
  side: Side,
  object: KubeObject,
  applied: { instancetype: InstancetypeSpec } | { preference: PreferenceSpec },
): string | undefined {
  const ensured = ensureRevision(pass, side, object);
  if (ensured.type === 'error') return ensured.message;
  pass.vm = withRevisionName(pass.vm, side, ensured.name);
  pass.profile = { ...pass.profile, ...applied };
  return undefined;
}

function conflictWith({ spec }: VirtualMachine, instancetype: InstancetypeSpec): string | undefined {
  if (spec.template === undefined) return undefined;
  const target = { ...spec.template, spec: spec.template.spec ?? { domain: { devices: {} } } };
  const applied = applyInstancetype(target, { instancetype });
  return applied.type === 'conflict' ? conflictText(applied.fields, ['spec', 'template']) : undefined;
}

function errorOf(found: Exclude<Found<unknown>, { type: 'found' }>): string {
  return found.type === 'error' ? found.message : 'no matcher';
}

/** One operation for each reference that changed; a VM without status gets it with them. */
function changedReferences(before: VirtualMachine, after: VirtualMachine): readonly JsonPatchOperation[] {
  const changed = [instancetypeSide, preferenceSide].filter(
    ({ ref }) => !semanticallyEqual(before.status?.[ref], after.status?.[ref], 'InstancetypeStatusRef'),
  );
  if (changed.length === 0) return [];
  if (before.status !== undefined) return changed.map(({ ref }) => addOp(`/status/${ref}`, after.status?.[ref]));
  const status = Object.fromEntries(changed.map(({ ref }) => [ref, after.status?.[ref]]));
  return [testOp('/status', undefined), addOp('/status', status)];
}

function withRef(vm: VirtualMachine, { ref }: Side, value: StatusRef): VirtualMachine {
  return { ...vm, status: { ...vm.status, [ref]: value } };
}

/** The VM with another revision in its reference of that side. */
export function withRevisionName(vm: VirtualMachine, side: Side, name: string): VirtualMachine {
  return withRef(vm, side, { ...refOf(side, vm), controllerRevisionRef: { name } });
}
