/** Plays a sequence on one server and writes down all answers and events. */
import { equal, isObj, type Obj, objAt, textAt, type Value } from '../json/value.ts';
import { mergePatched } from '../patches/merge-patch.ts';
import { kindOf, nameIn, pathIn } from './kinds.ts';
import type { Aim, Sequence, Step, Watching, Whose } from './steps.ts';
import type { Answer, Event, Stream, Target } from './target.ts';

export interface Transcript {
  readonly answers: readonly Answer[];
  /** Which step each answer is to: a list has several. */
  readonly askedBy: readonly number[];
  readonly events: readonly (readonly Event[] | Answer)[];
}

/** Of labels that every selector used in a sequence selects. */
const MARKER = 'zz-marker';
const MARKER_LABELS = { l: 'x', m: 'y' };
const BOGUS_UID = '11111111-1111-4111-8111-111111111111';
const BOGUS_VERSION = '7';

export async function play(target: Target, namespace: string, sequence: Sequence): Promise<Transcript> {
  const player = new Player(target, namespace);
  const before = await player.open(sequence.watches.filter((w) => w.when === 'before'));
  const askedBy: number[] = [];
  for (const [i, step] of sequence.steps.entries()) {
    await player.step(step);
    while (askedBy.length < player.answers.length) askedBy.push(i);
  }
  const after = await player.open(sequence.watches.filter((w) => w.when === 'after'));
  await player.mark(new Set(sequence.watches.map((w) => w.plural)));
  const events = await player.close([...before, ...after]);
  return { answers: player.answers, askedBy, events };
}

class Player {
  readonly answers: Answer[] = [];
  readonly #target: Target;
  readonly #namespace: string;
  /** By plural and name: all versions that were answered, oldest first. */
  readonly #seen = new Map<string, Obj[]>();
  #firstVersion: string | undefined;

  constructor(target: Target, namespace: string) {
    this.#target = target;
    this.#namespace = namespace;
  }

  async open(watches: readonly Watching[]): Promise<(Stream | Answer)[]> {
    const opened: (Stream | Answer)[] = [];
    for (const { plural, query, when } of watches) {
      const version = when === 'after' ? this.#firstVersion : undefined;
      const from = version === undefined ? '' : `&resourceVersion=${version}`;
      opened.push(await this.#target.watch(`${pathIn(kindOf(plural), this.#namespace)}?watch=true${from}${query}`));
    }
    return opened;
  }

  /** An object that ends every watch. */
  async mark(plurals: ReadonlySet<string>): Promise<void> {
    for (const plural of plurals) {
      const kind = kindOf(plural);
      const metadata = { name: nameIn(kind, MARKER, this.#namespace), labels: MARKER_LABELS };
      const body = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...kind.bodies[0] };
      await this.#target.request('POST', pathIn(kind, this.#namespace), body);
    }
  }

  async close(opened: readonly (Stream | Answer)[]): Promise<(readonly Event[] | Answer)[]> {
    const all: (readonly Event[] | Answer)[] = [];
    for (const stream of opened) {
      if ('status' in stream) all.push(stream);
      else {
        const names = [MARKER, `${this.#namespace}-${MARKER}`];
        const events = await Promise.race(names.map((name) => stream.until(name)));
        all.push(events.filter((e) => e.type !== 'BOOKMARK'));
        stream.close();
      }
    }
    return all;
  }

  async step(step: Step): Promise<void> {
    const namespace = this.#namespace;
    switch (step.step) {
      case 'create': {
        const kind = kindOf(step.aim.plural);
        const name = nameIn(kind, step.aim.name, namespace);
        const named = step.generate ? { generateName: `${name}-` } : { name };
        const metadata = this.#filled({ ...named, ...step.metadata });
        const body = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...step.body };
        return this.#ask('POST', pathIn(kind, namespace), body, undefined, step.aim);
      }
      case 'put': {
        const kind = kindOf(step.aim.plural);
        const live = await this.#live(step.aim);
        let body: Value = live ?? {
          apiVersion: kind.apiVersion,
          kind: kind.kind,
          metadata: { name: nameIn(kind, step.aim.name, namespace) },
          ...kind.bodies[0],
        };
        for (const change of step.changes) body = mergePatched(body, this.#filled(change));
        body = mergePatched(body, { metadata: { ...this.#identity(step, live), managedFields: null } });
        return this.#ask('PUT', pathIn(kind, namespace, step.aim.name, step.part), body, undefined, step.aim);
      }
      case 'patch': {
        const kind = kindOf(step.aim.plural);
        const live = await this.#live(step.aim);
        let body: Value = {};
        for (const change of step.changes) body = mergedKeepingNulls(body, this.#filled(change));
        const identity = Object.fromEntries(Object.entries(this.#identity(step, live)).filter(([, v]) => v !== null));
        if (Object.keys(identity).length > 0) body = mergedKeepingNulls(body, { metadata: identity });
        const type = `application/${step.type}-patch+json`;
        return this.#ask('PATCH', pathIn(kind, namespace, step.aim.name, step.part), body, type, step.aim);
      }
      case 'json-patch': {
        const path = pathIn(kindOf(step.aim.plural), namespace, step.aim.name, step.part);
        const operations = step.operations.map((o) => this.#filled(o));
        return this.#ask('PATCH', path, operations, 'application/json-patch+json', step.aim);
      }
      case 'delete': {
        const live = await this.#live(step.aim);
        const identity = Object.entries(this.#identity(step, live)).filter(([, v]) => v !== null);
        const preconditions = identity.length === 0 ? {} : { preconditions: Object.fromEntries(identity) };
        const body = { ...step.options, ...preconditions };
        const path = `${pathIn(kindOf(step.aim.plural), namespace, step.aim.name)}${step.query}`;
        return this.#ask('DELETE', path, Object.keys(body).length === 0 ? undefined : body, undefined, step.aim);
      }
      case 'delete-all':
        return this.#ask('DELETE', `${pathIn(kindOf(step.plural), namespace)}${step.query}`);
      case 'get':
        return this.#ask(
          'GET',
          pathIn(kindOf(step.aim.plural), namespace, step.aim.name, step.part),
          undefined,
          undefined,
          step.aim,
        );
      case 'list':
        return this.#list(step);
      case 'bind': {
        const kind = kindOf(step.aim.plural);
        const body = {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: step.aim.name },
          target: { apiVersion: 'v1', kind: 'Node', name: step.node },
        };
        return this.#ask('POST', pathIn(kind, namespace, step.aim.name, 'binding'), body);
      }
      case 'raw': {
        const body = step.body === undefined ? undefined : this.#filled(step.body);
        return this.#ask(step.method, step.path.replaceAll('{ns}', namespace), body, step.contentType);
      }
    }
  }

  async #list(step: Extract<Step, { step: 'list' }>): Promise<void> {
    const kind = kindOf(step.plural);
    const limit = step.limit === 0 ? '' : `&limit=${step.limit}`;
    const own = kind.namespaced ? '' : `&labelSelector=own=${this.#namespace}`;
    let token = '';
    do {
      const more = token === '' ? '' : `&continue=${encodeURIComponent(token)}`;
      await this.#ask('GET', `${pathIn(kind, this.#namespace)}?x=y${own}${step.query}${limit}${more}`);
      token = textAt(this.answers.at(-1)?.body, 'metadata', 'continue') ?? '';
    } while (token !== '');
  }

  async #ask(method: string, path: string, body?: Value, contentType?: string, aim?: Aim): Promise<void> {
    const answer = await this.#target.request(method, path, body, contentType);
    this.answers.push(answer);
    const version = textAt(answer.body, 'metadata', 'resourceVersion');
    if (aim === undefined || version === undefined || !isObj(answer.body)) return;
    this.#firstVersion ??= version;
    const key = `${aim.plural}/${aim.name}`;
    this.#seen.set(key, [...(this.#seen.get(key) ?? []), answer.body]);
  }

  async #live({ plural, name }: Aim): Promise<Obj | undefined> {
    const { status, body } = await this.#target.request('GET', pathIn(kindOf(plural), this.#namespace, name));
    return status === 200 && isObj(body) ? body : undefined;
  }

  /** Members are null where the request shall say nothing. */
  #identity({ aim, version, uid }: { aim: Aim; version: Whose; uid: Whose }, live: Obj | undefined): Obj {
    const first = this.#seen.get(`${aim.plural}/${aim.name}`)?.[0];
    const pick = (whose: Whose, field: string, bogus: string): Value => {
      if (whose === 'none') return null;
      if (whose === 'bogus') return bogus;
      return textAt(whose === 'current' ? live : first, 'metadata', field) ?? bogus;
    };
    return { resourceVersion: pick(version, 'resourceVersion', BOGUS_VERSION), uid: pick(uid, 'uid', BOGUS_UID) };
  }

  /** Puts a server's own values for the words `uid:<plural>/<name>` and `version:<plural>/<name>`. */
  #filled<T extends Value>(value: T): T {
    if (typeof value === 'string') return this.#word(value) as T;
    if (Array.isArray(value)) return value.map((v) => this.#filled(v)) as T;
    if (!isObj(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, v === undefined ? v : this.#filled(v)])) as T;
  }

  #word(text: string): string {
    const match = /^(uid|version):(.+)$/.exec(text);
    if (match === null) return text.replaceAll('{ns}', this.#namespace);
    const seen = this.#seen.get(match[2] ?? '')?.at(-1);
    const field = match[1] === 'uid' ? 'uid' : 'resourceVersion';
    return textAt(seen, 'metadata', field) ?? (field === 'uid' ? BOGUS_UID : BOGUS_VERSION);
  }
}

/** Two merge patches as one. */
function mergedKeepingNulls(first: Value, second: Value): Value {
  if (!isObj(first) || !isObj(second)) return second;
  const made: Obj = { ...first };
  for (const [name, v] of Object.entries(second))
    if (v !== undefined)
      made[name] = objAt(made, name) === undefined || equal(v, null) ? v : mergedKeepingNulls(made[name] ?? null, v);
  return made;
}
