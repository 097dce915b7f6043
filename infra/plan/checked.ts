import { membersOf, parseMember, type TypeName } from '../../functions/core/written-form/members.ts';
import { type MemberPath, misfitIn } from '../../functions/core/written-form/misfit.ts';
import type { Json, Manifest } from './manifest.ts';

export type CheckedType =
  | 'VirtualMachine'
  | 'VirtualMachineInstance'
  | 'VirtualMachineInstancetype'
  | 'VirtualMachinePreference';

/**
 * A manifest's object, once it fits its type and has no member that the type does not know: what `kubectl apply` would refuse
 * as well.
 *
 * @throws BadInput
 */
export function checked(manifest: Manifest, type: CheckedType): Json {
  const { object, bad } = manifest;
  const unknown = unknownMember(object, type, []);
  if (unknown !== undefined) throw bad(unknown, `is no field of a ${type}`);
  const misfit = misfitIn(object, type);
  if (misfit !== undefined) throw bad(misfit.path, `is not ${misfit.expected}`);
  const { metadata, spec } = object as { metadata?: { name?: string }; spec?: unknown };
  if (!metadata?.name) throw bad(['metadata', 'name'], 'is not there');
  if (spec === undefined) throw bad(['spec'], 'is not there');
  return object;
}

function unknownMember(value: unknown, type: TypeName | undefined, path: MemberPath): MemberPath | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = membersOf(type);
  for (const [name, held] of Object.entries(value)) {
    const member = members.get(name);
    if (member === undefined) return [...path, name];
    const below = unknownBelow(held, member, [...path, name]);
    if (below !== undefined) return below;
  }
  return undefined;
}

function unknownBelow(
  value: unknown,
  member: ReturnType<typeof parseMember>,
  path: MemberPath,
): MemberPath | undefined {
  if (member.shape === 'object') return unknownMember(value, member.type, path);
  if (member.shape !== 'list' || !Array.isArray(value)) return undefined;
  for (const [i, entry] of value.entries()) {
    const found = unknownBelow(entry, member.of, [...path, i]);
    if (found !== undefined) return found;
  }
  return undefined;
}
