import { readFileSync } from 'node:fs';

/** A member of a declared type, as TypeScript spells it. */
export interface Declared {
  readonly name: string;
  readonly optional: boolean;
  /** Type text on one line: `string`, `Array<V1Disk>`, `{ [key: string]: string; }`. */
  readonly type: string;
  /** What the description says of a string: that it is a quantity, or a time. */
  readonly holds?: 'quantity' | 'time';
}

export type Declarations = ReadonlyMap<string, readonly Declared[]>;

/** The types that `@kubevirt-ui-ext/kubevirt-api` generates from KubeVirt's OpenAPI. */
export function kubevirtDeclarations(): Declarations {
  const url = new URL('index.d.ts', import.meta.resolve('@kubevirt-ui-ext/kubevirt-api/kubevirt'));
  return readDeclarations(readFileSync(url, 'utf8'));
}

const INTERFACE = /^interface (\w+) \{\n([\s\S]*?)^\}/gm;
const MEMBER = /^ {4}\/\*\*([\s\S]*?)\*\/\s+(?:readonly )?(\w+)(\??): ([\s\S]*?);\n(?= {4}\/\*\*|$(?![\s\S]))/gm;

/** The interfaces of a declaration file in the layout of OpenAPI Generator: each member behind its comment. */
export function readDeclarations(text: string): Declarations {
  const all = new Map<string, readonly Declared[]>();
  for (const [, type = '', body = ''] of text.matchAll(INTERFACE))
    all.set(type, [...body.matchAll(MEMBER)].map(declared));
  return all;
}

function declared([, comment = '', name = '', question, type = '']: RegExpExecArray): Declared {
  const holds = comment.includes('Quantity is a fixed-point')
    ? 'quantity'
    : comment.includes('Time is a wrapper')
      ? 'time'
      : undefined;
  return {
    name,
    optional: question === '?',
    type: type.replace(/\s+/g, ' '),
    ...(holds === undefined ? {} : { holds }),
  };
}
