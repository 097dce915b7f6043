import { canonicalQuantity } from '../quantity/quantity.ts';
import { canonicalTime } from './canonical-time.ts';
import { type Member, membersOf, type TypeName } from './members.ts';

/**
 * The written form of one member; `undefined`: it vanishes. The numbers are those of the rules of runtime.md 11.1.
 *
 * A value of another shape than the type's stays as it is: it is the API server's to refuse.
 */
export function writtenMember(value: unknown, member: Member): unknown {
  switch (member.shape) {
    case 'string':
      return scalar(value, '', member);
    case 'number':
      return scalar(value, 0, member);
    case 'boolean':
      return scalar(value, false, member);
    case 'quantity':
      return quantity(value, member);
    case 'time':
      return time(value, member);
    case 'list':
      return list(value, member);
    case 'map':
      return map(value, member);
    case 'object':
      return object(value, member);
    case 'raw':
      return value ?? undefined;
  }
}

/** Rules 1 and 2: a plain zero vanishes, a nullable one stays; what is always written is there as zero. */
function scalar(value: unknown, zero: '' | 0 | false, { presence }: Member): unknown {
  if (value === undefined || value === null) return presence === 'always' ? zero : undefined;
  return value === zero && presence === 'plain' ? undefined : value;
}

/** Rule 4; held by value, `"0"` when absent (rule 7). */
function quantity(value: unknown, { presence }: Member): unknown {
  if (typeof value === 'string' || typeof value === 'number') return canonicalQuantity(String(value));
  return value ?? (presence === 'always' ? '0' : undefined);
}

/** Rule 6; held by value, `null` when not set. */
function time(value: unknown, { presence }: Member): unknown {
  if (typeof value === 'string' && value !== '') return canonicalTime(value);
  return presence === 'always' ? null : undefined;
}

function list(value: unknown, member: Member & { shape: 'list' }): unknown {
  if (!Array.isArray(value)) return value ?? undefined;
  return value.length === 0 ? undefined : value.map((v) => writtenMember(v, member.of));
}

function map(value: unknown, member: Member & { shape: 'map' }): unknown {
  if (!isRecord(value)) return value ?? undefined;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([k, v]) => [k, writtenMember(v, member.of)]));
}

/** Rules 3, 5 and 7: present objects stay though empty, unknown members vanish, what is held by value is always there. */
function object(value: unknown, { presence, type }: Member & { shape: 'object' }): unknown {
  if (value === undefined || value === null) return presence === 'always' ? members({}, type) : undefined;
  return isRecord(value) ? members(value, type) : value;
}

function members(value: Readonly<Record<string, unknown>>, type: TypeName | undefined): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const [name, member] of membersOf(type)) {
    const w = writtenMember(Object.hasOwn(value, name) ? value[name] : undefined, member);
    if (w !== undefined) written[name] = w;
  }
  return written;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
