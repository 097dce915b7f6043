import { compare } from './quantity/arithmetic.ts';
import { parseQuantity } from './quantity/parse.ts';
import { type Member, membersOf, type Presence, parseMember, type TypeRef } from './written-form/members.ts';

/**
 * Semantic equality, the one of all "did it change" comparisons (vmi.md 3.6, vm.md 3.3), by the types of the written form.
 * Members that a type does not have do not count.
 *
 * | type | absent (or null) equals | values compare |
 * |---|---|---|
 * | list, map | the empty one | element by element in order; by key |
 * | plain string, number, boolean | `""`, `0`, `false` | as they are |
 * | nullable string, number, boolean | absent only | as they are |
 * | quantity | absent only (held by value: `0`) | by number |
 * | time | absent only | by instant |
 * | object | absent only; held by value: `{}` | known members |
 *
 * ```ts
 * semanticallyEqual(old.status, vmi.status, 'VirtualMachineInstanceStatus')
 * semanticallyEqual(old.metadata.labels, vmi.metadata.labels, '{}s')
 * semanticallyEqual(a.tolerations, b.tolerations, '[]Toleration')
 * ```
 */
export function semanticallyEqual(a: unknown, b: unknown, type: TypeRef): boolean {
  return equal(a, b, parseMember(type));
}

function equal(a: unknown, b: unknown, member: Member): boolean {
  if (a === b) return true;
  switch (member.shape) {
    case 'list':
      return equalLists(asList(a), asList(b), member.of);
    case 'map':
      return equalMaps(asRecord(a), asRecord(b), member.of);
    case 'object':
      return equalObjects(a, b, member);
    case 'quantity':
      return equalQuantities(a ?? zeroOf(member.shape, member.presence), b ?? zeroOf(member.shape, member.presence));
    case 'time':
      return equalTimes(a, b);
    case 'raw':
      return equalRaw(a, b);
    case 'string':
    case 'number':
    case 'boolean':
      return (a ?? zeroOf(member.shape, member.presence)) === (b ?? zeroOf(member.shape, member.presence));
  }
}

/** What an absent scalar equals. */
function zeroOf(shape: keyof typeof zeros, presence: Presence): unknown {
  if (shape === 'quantity') return presence === 'always' ? zeros.quantity : undefined;
  return presence === 'nullable' ? undefined : zeros[shape];
}

const zeros = { string: '', number: 0, boolean: false, quantity: '0' } as const;

function equalLists(a: readonly unknown[], b: readonly unknown[], of: Member): boolean {
  return a.length === b.length && a.every((x, i) => equal(x, b[i], of));
}

function equalMaps(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, of: Member): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && equal(a[k], b[k], of));
}

function equalObjects(a: unknown, b: unknown, member: Member & { shape: 'object' }): boolean {
  if (member.presence !== 'always' && isAbsent(a) !== isAbsent(b)) return false;
  const [x, y] = [asRecord(a), asRecord(b)];
  for (const [name, m] of membersOf(member.type)) if (!equal(x[name], y[name], m)) return false;
  return true;
}

function equalQuantities(a: unknown, b: unknown): boolean {
  const [x, y] = [asQuantity(a), asQuantity(b)];
  return x === undefined || y === undefined ? equalRaw(a, b) : compare(x, y) === 0;
}

function equalTimes(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? Date.parse(a) === Date.parse(b) : equalRaw(a, b);
}

/** What the table of types leaves open: absent and null are one, all else is compared as JSON. */
function equalRaw(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => equalRaw(x, b[i]));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || isAbsent(a) || isAbsent(b)) return (a ?? null) === (b ?? null);
  const [x, y] = [asRecord(a), asRecord(b)];
  return [...new Set([...Object.keys(x), ...Object.keys(y)])].every((k) => equalRaw(x[k], y[k]));
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function asQuantity(value: unknown) {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
