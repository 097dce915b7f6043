/** Manifests out of files of YAML or JSON, several documents and lists of objects included. */
import { readFileSync } from 'node:fs';
import { type Document, isNode, LineCounter, parseAllDocuments } from 'yaml';
import { type MemberPath, pathText } from '../../functions/core/written-form/misfit.ts';
import { BadInput } from './bad-input.ts';

export type Json = Readonly<Record<string, unknown>>;

/** One object of a file. */
export interface Manifest {
  readonly kind: string;
  readonly object: Json;
  /** An error about a member, with file, line and field path. */
  readonly bad: (path: MemberPath, detail: string) => BadInput;
}

/**
 * @param file path, or `-` for the standard input
 * @throws BadInput
 */
export function readManifests(file: string): readonly Manifest[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new BadInput(file, error instanceof Error ? error.message : String(error));
  }
  return parseManifests(file, text);
}

/** @throws BadInput */
export function parseManifests(file: string, text: string): readonly Manifest[] {
  const lines = new LineCounter();
  // An empty text gives an empty list that bears properties of its own.
  const documents = [...parseAllDocuments(text, { lineCounter: lines })];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const [message = ''] = error.message.split('\n');
      throw new BadInput(`${file}:${lines.linePos(error.pos[0]).line}`, message);
    }
    const value = withoutNulls(valueOf(document, file));
    return value === null || value === undefined ? [] : objectsIn(value, [], badIn(file, document, lines));
  });
}

type Bad = Manifest['bad'];

function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new BadInput(file, error instanceof Error ? error.message : String(error));
  }
}

function objectsIn(value: unknown, at: MemberPath, bad: Bad): readonly Manifest[] {
  if (!isJson(value)) throw bad(at, 'is not an object');
  const { kind } = value;
  if (typeof kind !== 'string' || kind === '') throw bad([...at, 'kind'], 'is not there');
  if (kind.endsWith('List') && Array.isArray(value['items'])) {
    return value['items'].flatMap((item, i) => objectsIn(item, [...at, 'items', i], bad));
  }
  return [{ kind, object: value, bad: (path, detail) => bad([...at, ...path], detail) }];
}

/** The line of the member, or of what holds it where it is missing. */
function badIn(file: string, document: Document, lines: LineCounter): Bad {
  return (path, detail) => {
    const held = path.map((_, i) => document.getIn(path.slice(0, path.length - i), true)).find((n) => isNode(n));
    const offset = isNode(held) ? held.range?.[0] : document.range?.[0];
    const place = offset === undefined ? file : `${file}:${lines.linePos(offset).line}`;
    return new BadInput(place, path.length === 0 ? detail : `${pathText(path)} ${detail}`);
  };
}

/** As the API server reads an object: a member that is null is not there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((v) => withoutNulls(v));
  if (!isJson(value)) return value;
  const members = Object.entries(value).filter(([, v]) => v !== null);
  return Object.fromEntries(members.map(([name, v]) => [name, withoutNulls(v)]));
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
