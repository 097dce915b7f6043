/** A transcript in the form in which two servers' are the same: ids and versions by their order of appearance, no times. */
import { isObj, type Obj, objAt, objsAt, textAt, type Value } from '../json/value.ts';
import type { Transcript } from './play.ts';
import type { Answer, Event } from './target.ts';

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]{5}';

export interface Normal {
  readonly answers: readonly { readonly status: number; readonly body: Value }[];
  readonly askedBy: readonly number[];
  readonly events: readonly Value[];
}

export function normal(transcript: Transcript, namespace: string): Normal {
  const names = new Names(namespace);
  return {
    answers: transcript.answers.map(({ status, body }) => ({ status, body: names.of(body) })),
    askedBy: transcript.askedBy,
    events: transcript.events.map((e) => (isAnswer(e) ? names.of(e.body) : e.map((event) => eventOf(event, names)))),
  };
}

function isAnswer(e: readonly Event[] | Answer): e is Answer {
  return 'status' in e;
}

function eventOf({ type, object }: Event, names: Names): Value {
  return { type, object: names.of(object) };
}

class Names {
  readonly #namespace: string;
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  of(value: Value, at: readonly string[] = []): Value {
    if (Array.isArray(value)) return value.map((v) => this.of(v, at));
    if (isObj(value)) return this.#members(value, at);
    if (typeof value !== 'string') return value;
    const field = at.at(-1);
    if (field === 'resourceVersion') return this.#nth('version', value);
    // Of what a token says only whether there is one.
    if (field === 'continue') return value === '' ? '' : '<token>';
    const text = this.#text(value);
    return field === 'message' ? text.replace(/\b\d{2,}\b/g, '<number>') : text;
  }

  #members(object: Obj, at: readonly string[]): Obj {
    if (object.kind === 'Status' && object.code === 422) return this.#invalid(object);
    // The words of who reads bodies are his own.
    if (object.kind === 'Status' && (object.code === 400 || object.code === 415))
      return { code: object.code, reason: object.reason ?? null };
    return this.#plain(object, at);
  }

  /** Causes may come in any order, and more than once; the message is made of them. */
  #invalid(object: Obj): Obj {
    const causes = objsAt(object, 'details', 'causes').map((c) => JSON.stringify(this.#plain(withoutListing(c), [])));
    const details = { ...objAt(object, 'details'), causes: [...new Set(causes)].sort() };
    return this.#plain({ ...object, message: '<causes>', details }, []);
  }

  #plain(object: Obj, at: readonly string[]): Obj {
    const made: Obj = {};
    const isList = Array.isArray(object.items);
    // In one order: ids are numbered as they are met.
    for (const name of Object.keys(object).sort()) {
      const v = object[name];
      if (v === undefined || name === 'managedFields') continue;
      // A list's version counts what everybody writes.
      if (isList && name === 'metadata' && isObj(v))
        made[name] = this.of({ ...v, resourceVersion: undefined }, [...at, name]);
      else if (isList && name === 'items') made.items = this.#items(objsAt(v));
      else made[this.#text(name)] = this.of(v, [...at, name]);
    }
    return made;
  }

  /** Names that the server has generated are in an order of their own; among them the older come first here. */
  #items(items: readonly Obj[]): Value[] {
    const age = (o: Obj): number =>
      textAt(o, 'metadata', 'generateName') === undefined ? -1 : Number(textAt(o, 'metadata', 'resourceVersion'));
    return items.toSorted((a, b) => age(a) - age(b)).map((item) => this.of(item, ['items']));
  }

  #text(text: string): string {
    return text
      .replaceAll(this.#namespace, '<ns>')
      .replace(UID, (uid) => this.#nth('uid', uid))
      .replace(TIME, '<time>')
      .replace(new RegExp(`(kube-api-access-|\\b(?:<ns>-)?[abcq]-)${SUFFIX}\\b`, 'g'), '$1<suffix>');
  }

  #nth(what: string, value: string): string {
    const key = `${what} ${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const count = this.#counts.get(what) ?? 0;
    this.#counts.set(what, count + 1);
    this.#known.set(key, `<${what} ${count}>`);
    return `<${what} ${count}>`;
  }
}

/** Some causes end with all lines in which two objects differ. */
function withoutListing(cause: Obj): Obj {
  return { ...cause, message: textAt(cause, 'message')?.split('\n')[0] };
}
