/**
 * Reads JSON as a server does that knows the types: unknown fields vanish, zero values vanish or appear, quantities and times
 * are rewritten, a value of the wrong shape is refused. The result is a copy.
 *
 * Types are texts, `field:code field:code ...`. A code is `[]` list of or `{}` map to, then what is held, then a mark:
 * none (a zero value vanishes), `?` (only absence and null vanish), `!` (always written).
 *
 * | code | holds |
 * |---|---|
 * | `s` `n` `b` | text, number, boolean |
 * | `q` | quantity |
 * | `t` | time in whole seconds, `u` one with microseconds |
 * | `x` | anything, left as it is |
 * | a type's name | an object of that type |
 */
import { canonicalQuantity } from '../../../../functions/core/quantity/quantity.ts';
import { copied, isObj, type Obj, type Value } from '../json/value.ts';
import { badRequest } from '../refusals.ts';

/** The value in the form in which it is kept; `undefined`: it vanishes. */
export type Read = (value: Value | undefined, path: string) => Value | undefined;
export type TypeTable = Readonly<Record<string, string>>;

type Mark = '' | '?' | '!';

export class Types {
  readonly #table: TypeTable;
  readonly #read = new Map<string, Read>();

  constructor(...tables: readonly TypeTable[]) {
    this.#table = Object.assign({}, ...tables) as TypeTable;
  }

  /** By a code of the table's language: a type's name, most often. */
  reader(code: string): Read {
    let read = this.#read.get(code);
    if (read === undefined) {
      read = this.#compile(code);
      this.#read.set(code, read);
    }
    return read;
  }

  #compile(code: string): Read {
    const last = code.at(-1);
    const mark: Mark = last === '?' || last === '!' ? last : '';
    const held = mark === '' ? code : code.slice(0, -1);
    if (held.startsWith('[]')) return list(this.#later(`${held.slice(2)}!`), mark);
    if (held.startsWith('{}')) return map(this.#later(`${held.slice(2)}!`), mark);
    const scalar = scalars[held];
    if (scalar !== undefined) return scalar(mark);
    const fields = this.#table[held];
    if (fields === undefined) throw new Error(`no such type: ${held}`);
    return object(
      fields.split(/\s+/).map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon), this.#later(field.slice(colon + 1))] as const;
      }),
      mark,
    );
  }

  /** Types may hold themselves. */
  #later(code: string): Read {
    let read: Read | undefined;
    return (value, path) => {
      read ??= this.reader(code);
      return read(value, path);
    };
  }
}

const scalars: Readonly<Record<string, (mark: Mark) => Read>> = {
  s: (mark) => plain('string', '', mark),
  n: (mark) => plain('number', 0, mark),
  b: (mark) => plain('boolean', false, mark),
  x: (mark) => (value) => (value === undefined || value === null ? absent(null, mark) : shared(value)),
  q: (mark) => quantity(mark),
  t: (mark) => time(mark, wholeSeconds),
  u: (mark) => time(mark, (text) => text),
};

/** What can't change any more needs no copy: definitions are large. */
function shared(value: Value): Value {
  return Object.isFrozen(value) ? value : copied(value);
}

function absent(zero: Value, mark: Mark): Value | undefined {
  return mark === '!' ? zero : undefined;
}

function plain(type: 'string' | 'number' | 'boolean', zero: Value, mark: Mark): Read {
  return (value, path) => {
    if (value === undefined || value === null) return absent(zero, mark);
    if (typeof value !== type) throw mistyped(value, path, type);
    return value === zero && mark === '' ? undefined : value;
  };
}

function quantity(mark: Mark): Read {
  return (value, path) => {
    if (value === undefined || value === null) return absent('0', mark);
    if (typeof value !== 'string' && typeof value !== 'number') throw mistyped(value, path, 'quantity');
    return canonicalQuantity(String(value));
  };
}

function time(mark: Mark, written: (text: string) => string): Read {
  return (value, path) => {
    if (value === undefined || value === null || value === '') return absent(null, mark);
    if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) throw mistyped(value, path, 'time');
    return written(value);
  };
}

function wholeSeconds(text: string): string {
  return text.length === 20 && text.endsWith('Z') ? text : `${new Date(Date.parse(text)).toISOString().slice(0, 19)}Z`;
}

function list(item: Read, mark: Mark): Read {
  return (value, path) => {
    if (value === undefined || value === null) return absent(null, mark);
    if (!Array.isArray(value)) throw mistyped(value, path, 'list');
    if (value.length === 0 && mark === '') return undefined;
    return value.map((v) => item(v, path) ?? null);
  };
}

function map(item: Read, mark: Mark): Read {
  return (value, path) => {
    if (value === undefined || value === null) return absent(null, mark);
    if (!isObj(value)) throw mistyped(value, path, 'map');
    const made: Obj = {};
    let count = 0;
    for (const [name, v] of Object.entries(value)) {
      if (v === undefined) continue;
      made[name] = item(v, `${path}.${name}`) ?? null;
      count++;
    }
    return count === 0 && mark === '' ? undefined : made;
  };
}

function object(fields: readonly (readonly [string, Read])[], mark: Mark): Read {
  return (value, path) => {
    if (value === undefined || value === null) {
      if (mark !== '!') return undefined;
    } else if (!isObj(value)) throw mistyped(value, path, 'object');
    const made: Obj = {};
    for (const [name, read] of fields) {
      const v = read(value?.[name], path === '' ? name : `${path}.${name}`);
      if (v !== undefined) made[name] = v;
    }
    return made;
  };
}

function mistyped(value: Value, path: string, wanted: string): Error {
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return badRequest(`json: cannot unmarshal ${found} into Go struct field ${path} of type ${wanted}`);
}
