/**
 * How the table of types (`types.ts`) is read: what a member of a type holds, and whether it is there when it is empty.
 *
 * A member is written as a code: `[]` list of, `{}` map to, then what it holds, then `?` (nullable: an explicit zero value
 * stays) or `!` (always written, also when it is absent or zero). Neither mark: a zero value vanishes.
 *
 * | code | holds |
 * |---|---|
 * | `s` `n` `b` | string, number, boolean |
 * | `q` | quantity |
 * | `t` | time |
 * | `x` | anything, left as it is |
 * | `o` | object without members |
 * | a type's name | object of that type |
 */
import { types } from './types.ts';

export type TypeName = keyof typeof types;
type Scalar = 's' | 'n' | 'b' | 'q' | 't' | 'x';

/** A type in a comparison: `Affinity`, `[]Toleration`, `{}s` (map of strings), `{}q` (map of quantities). */
export type TypeRef = `${'' | '[]' | '{}'}${TypeName | Scalar}${'' | '?' | '!'}`;

export type Presence = 'plain' | 'nullable' | 'always';

export type Member = { readonly presence: Presence } & (
  | { readonly shape: 'string' | 'number' | 'boolean' | 'quantity' | 'time' | 'raw' }
  | { readonly shape: 'list'; readonly of: Member }
  | { readonly shape: 'map'; readonly of: Member }
  | { readonly shape: 'object'; readonly type: TypeName | undefined }
);

const scalars = { s: 'string', n: 'number', b: 'boolean', q: 'quantity', t: 'time', x: 'raw' } as const;
const presences = { '?': 'nullable', '!': 'always' } as const;

export function parseMember(code: string): Member {
  const mark = code.at(-1);
  const presence = mark === '?' || mark === '!' ? presences[mark] : 'plain';
  const held = presence === 'plain' ? code : code.slice(0, -1);
  if (held.startsWith('[]')) return { shape: 'list', presence, of: parseMember(`${held.slice(2)}!`) };
  if (held.startsWith('{}')) return { shape: 'map', presence, of: parseMember(`${held.slice(2)}!`) };
  if (held === 'o') return { shape: 'object', presence, type: undefined };
  if (isScalar(held)) return { shape: scalars[held], presence };
  if (isTypeName(held)) return { shape: 'object', presence, type: held };
  throw new Error(`no such type: ${code}`);
}

function isScalar(code: string): code is Scalar {
  return Object.hasOwn(scalars, code);
}

function isTypeName(code: string): code is TypeName {
  return Object.hasOwn(types, code);
}

export type Members = ReadonlyMap<string, Member>;

const none: Members = new Map();
// The table is constant: reading a type's line once or every time gives the same.
const parsed = new Map<TypeName, Members>();

/** The members of a type by name; none for an object without members. */
export function membersOf(type: TypeName | undefined): Members {
  if (type === undefined) return none;
  let members = parsed.get(type);
  if (members === undefined) {
    members = new Map(types[type].split(' ').map((m) => parseEntry(m)));
    parsed.set(type, members);
  }
  return members;
}

function parseEntry(entry: string): [string, Member] {
  const at = entry.indexOf(':');
  return [entry.slice(0, at), parseMember(entry.slice(at + 1))];
}
