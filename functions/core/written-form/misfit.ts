import { parseQuantity } from '../quantity/parse.ts';
import { type Member, membersOf, parseMember, type TypeRef } from './members.ts';

/** Members and indexes of lists, from a value's root on. */
export type MemberPath = readonly (string | number)[];

/** Where a value does not have the shape of its type, and what it should be. */
export interface Misfit {
  readonly path: MemberPath;
  readonly expected: string;
}

/**
 * The first place where JSON does not fit its type in the table, as the API server's schema would have it. Members that the
 * table does not know are left to the API server, which also takes `null` out, but for times that are not set. Numbers are
 * whole: the table has no others.
 *
 * @param path where the value itself stands
 */
export function misfitIn(value: unknown, type: TypeRef, path: MemberPath = []): Misfit | undefined {
  return misfitOf(value, parseMember(type), path);
}

/** `spec.volumes[0].name`, `metadata.labels["a.b/c"]` */
export function pathText(path: MemberPath): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : memberText(step, i))).join('');
}

function memberText(name: string, index: number): string {
  if (!/^\w+$/.test(name)) return `[${JSON.stringify(name)}]`;
  return index === 0 ? name : `.${name}`;
}

function misfitOf(value: unknown, member: Member, path: MemberPath): Misfit | undefined {
  switch (member.shape) {
    case 'string':
      return unless(typeof value === 'string', path, 'a text');
    case 'time':
      return unless(typeof value === 'string' || value === null, path, 'a time');
    case 'number':
      return unless(Number.isSafeInteger(value), path, 'a whole number');
    case 'boolean':
      return unless(typeof value === 'boolean', path, 'true or false');
    case 'quantity':
      return unless(isQuantity(value), path, 'a quantity');
    case 'raw':
      return undefined;
    case 'list':
      if (!Array.isArray(value)) return { path, expected: 'a list' };
      return firstOf(value, (v, i) => misfitOf(v, member.of, [...path, i]));
    case 'map':
      if (!isRecord(value)) return { path, expected: 'a map' };
      return firstOf(Object.entries(value), ([key, v]) => misfitOf(v, member.of, [...path, key]));
    case 'object':
      if (!isRecord(value)) return { path, expected: 'an object' };
      return firstOf([...membersOf(member.type)], ([name, m]) => {
        const held = Object.hasOwn(value, name) ? value[name] : undefined;
        return held === undefined ? missing(m, [...path, name]) : misfitOf(held, m, [...path, name]);
      });
  }
}

/** Of what is always written, objects and quantities stand for themselves when they are empty: only scalars must be there. */
function missing(member: Member, path: MemberPath): Misfit | undefined {
  const scalar = member.shape === 'string' || member.shape === 'number' || member.shape === 'boolean';
  return scalar && member.presence === 'always' ? { path, expected: 'there' } : undefined;
}

function isQuantity(value: unknown): boolean {
  return (typeof value === 'string' || typeof value === 'number') && parseQuantity(value) !== undefined;
}

function unless(fits: boolean, path: MemberPath, expected: string): Misfit | undefined {
  return fits ? undefined : { path, expected };
}

function firstOf<T>(values: readonly T[], find: (value: T, index: number) => Misfit | undefined): Misfit | undefined {
  for (const [index, value] of values.entries()) {
    const misfit = find(value, index);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
