import { createHash } from 'node:crypto';
import { judgeExisting } from '../../../events/relay/apply/already-exists.ts';
import {
  ACCESS_DENIED,
  type AccessAllowed,
  type AccessAttributes,
  type Action,
  type ActionResult,
  type EventAction,
  type ObjectRef,
  type Precondition,
} from '../../../functions/core/action.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { kindNamed } from '../../../functions/core/kinds.ts';
import { keyFor } from '../../../functions/core/object-index.ts';
import type { KubeObject, Pod } from '../../../functions/core/objects.ts';
import { carriedOut } from './calls.ts';
import { applyJsonPatch, applyMergePatch, isSame, PatchError } from './json-patch.ts';
import { goesAtOnce, isPod, matchesFields, newPodStatus, patchPodStatus } from './pods.ts';

type Body = KubeObject & Record<string, unknown>;
export type Refusal = { readonly code: number; readonly reason: string; readonly message: string };

interface LaggingView {
  readonly objects: Map<string, Body>;
  readonly position: string;
  readonly view: 'own-writes' | 'blind';
}

class Conflict extends Error {}
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/**
 * A model of the Kubernetes API and of the relay's applier, in memory: versions, generations, status subresources, finalizers
 * and deletion, preconditions, the CRD default of a VM's `printableStatus`. No garbage collection.
 */
export class ModelCluster {
  readonly #objects = new Map<string, Body>();
  readonly #lagging = new Map<string, LaggingView>();
  #version = 1000;
  #uid = 0;
  readonly events: EventAction[] = [];
  /** Actions by id that the API refuses. */
  readonly refuse = new Map<string, Refusal>();
  /** What the API server says of a user's rights. */
  allows: (attributes: AccessAttributes, user: string) => boolean = () => true;
  /**
   * Clock of the cluster, milliseconds since the epoch. It stands still unless a test moves it, and begins after every time
   * that tests name.
   */
  nowMs: number = Date.UTC(2027, 0, 1);

  /** All objects of a kind as the relay's cache has them. */
  cached(kind: string): readonly KubeObject[] {
    const lagging = this.#lagging.get(kind)?.objects.values() ?? this.#objects.values();
    return [...lagging].filter((o) => o.kind === kind);
  }

  /** The reflector's position of a kind. */
  position(kind: string): string {
    return this.#lagging.get(kind)?.position ?? String(this.#version);
  }

  /**
   * From now on the watch of that kind brings nothing. The relay's own writes enter its cache all the same, as they do;
   * unless it is `blind`, like a relay that did not live to see their answers.
   */
  holdWatch(kind: string, view: 'own-writes' | 'blind' = 'own-writes'): void {
    const objects = new Map([...this.#objects].filter(([, o]) => o.kind === kind));
    this.#lagging.set(kind, { objects, position: this.position(kind), view });
  }

  releaseWatch(kind: string): void {
    this.#lagging.delete(kind);
  }

  get<T extends KubeObject>(kind: Kind<T>, name: string, namespace?: string): T | undefined {
    const ref = { kind: kind.kind, name, ...(namespace === undefined ? {} : { namespace }) };
    return structuredClone(this.#objects.get(keyOfRef(ref))) as T | undefined;
  }

  /** Creates an object as a user would. */
  create<T extends KubeObject>(object: T): T {
    return this.#create(object) as unknown as T;
  }

  /** Changes an object as a user or an agent would, status included. The change may be made in place. */
  change<T extends KubeObject>(kind: Kind<T>, name: string, namespace: string, edit: (object: T) => void): void {
    const before = this.#found({ kind: kind.kind, name, namespace });
    const after = structuredClone(before);
    edit(after as unknown as T);
    this.#store(before, after);
  }

  delete<T extends KubeObject>(kind: Kind<T>, name: string, namespace: string): void {
    this.#delete({ kind: kind.kind, name, namespace });
  }

  /** Applies actions in order up to the first that does not succeed, as the relay does. `limit`: cut the list there. */
  apply(actions: readonly Action[], limit: number = Number.POSITIVE_INFINITY): readonly ActionResult[] {
    const written = new Set<string>();
    const results: ActionResult[] = [];
    let stopped = false;
    for (const [at, action] of actions.entries()) {
      if (at >= limit) stopped = true;
      if (action.verb === 'event') {
        if (stopped) continue;
        const obstacle = this.#obstacleTo(action);
        if (obstacle === undefined) this.events.push(action);
        else {
          results.push(obstacle);
          stopped = true;
        }
        continue;
      }
      const result = stopped ? ({ id: action.id, status: 'not-attempted' } as const) : this.#attempt(action, written);
      results.push(result);
      if (result.status !== 'done') stopped = true;
    }
    return results;
  }

  #obstacleTo({ id, preconditions = [] }: EventAction): ActionResult | undefined {
    try {
      for (const precondition of preconditions) this.#check(precondition);
      return undefined;
    } catch (e) {
      if (e instanceof Conflict) return { id, status: 'conflict', message: e.message };
      throw e;
    }
  }

  #attempt(action: Exclude<Action, EventAction>, written: Set<string>): ActionResult {
    const { id } = action;
    const refusal = this.refuse.get(id);
    try {
      if (refusal !== undefined) throw new Refused(refusal);
      for (const precondition of action.preconditions ?? []) this.#check(precondition);
      const object = this.#do(action, written);
      if (action.verb !== 'subresource') this.#enterCache(refOf(action), object);
      const resourceVersion = object?.metadata.resourceVersion;
      const kind = refOf(action).kind;
      return { id, status: 'done', kind, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    } catch (e) {
      if (e instanceof Refused) return { id, status: 'failed', ...e.refusal };
      if (e instanceof Conflict || e instanceof PatchError) return { id, status: 'conflict', message: e.message };
      throw e;
    }
  }

  #enterCache(ref: ObjectRef, written: Body | undefined): void {
    const lagging = this.#lagging.get(ref.kind);
    if (lagging === undefined || lagging.view === 'blind') return;
    if (written === undefined) lagging.objects.delete(keyOfRef(ref));
    else lagging.objects.set(keyOfRef(ref), written);
  }

  #do(action: Exclude<Action, EventAction>, written: Set<string>): Body | undefined {
    const ref = refOf(action);
    const key = keyOfRef(ref);
    // A later action on the same object takes the version of the earlier one's result.
    const isLater = written.has(key);
    const expected = (version: string | undefined) => (isLater ? undefined : version);
    written.add(key);
    switch (action.verb) {
      case 'create':
        return this.#create(action.object);
      case 'update':
      case 'updateStatus': {
        const before = this.#found(ref, expected(action.object.metadata.resourceVersion));
        return this.#store(before, merged(before, action.object as Body, action.verb === 'updateStatus'));
      }
      case 'patch': {
        const { patch } = action;
        if (patch.type === 'json') {
          const before = this.#found(ref);
          const after = applyJsonPatch(before, patch.operations);
          return this.#store(before, merged(before, after, action.subresource === 'status'));
        }
        if (patch.type === 'strategic') {
          const before = this.#found(ref);
          // Labels and annotations have no lists in them: a strategic merge is a plain one.
          if (!isPod(before))
            return this.#store(before, merged(before, applyMergePatch(before, patch.body) as Body, false));
          if (action.subresource !== 'status') throw new Error('of pods only the status');
          return this.#store(before, patchPodStatus(before, patch.body) as Pod & Body);
        }
        const merge = patch;
        const before = this.#found(ref, expected(merge.resourceVersion), merge.uid);
        const after = applyMergePatch(before, patch.body) as Body;
        return this.#store(before, merged(before, after, action.subresource === 'status'));
      }
      case 'subresource': {
        const before = this.#found(ref);
        const after = carriedOut(action, before);
        if (after === undefined) throw new Refused({ code: 400, reason: 'BadRequest', message: 'nothing to do' });
        this.#store(before, after);
        return undefined;
      }
      case 'delete':
        if (!this.#objects.has(key)) return undefined;
        this.#found(ref, expected(action.resourceVersion), action.uid);
        return this.#delete(ref, action.gracePeriodSeconds);
    }
  }

  #check(precondition: Precondition): void {
    switch (precondition.type) {
      case 'absent-name':
        if (this.#objects.has(keyOfRef(precondition))) throw new Conflict(`${precondition.name} is there`);
        return;
      case 'absent-labels': {
        const { kind, namespace, labels, fields = {} } = precondition;
        const bears = (o: Body) => Object.entries(labels).every(([k, v]) => o.metadata.labels?.[k] === v);
        const found = [...this.#objects.values()].find(
          (o) => o.kind === kind && o.metadata.namespace === namespace && bears(o) && matchesFields(o, fields),
        );
        if (found !== undefined) throw new Conflict(`${found.metadata.name} is there`);
        return;
      }
      case 'live': {
        const live = this.#found(precondition, undefined, precondition.uid);
        if (live.metadata.deletionTimestamp !== undefined) throw new Conflict(`${precondition.name} is being deleted`);
        return;
      }
      case 'access-allowed':
        this.#requireAccess(precondition);
    }
  }

  #requireAccess({ anyOf, user }: AccessAllowed): void {
    if (anyOf.some((all) => all.every((a) => this.allows(a, user)))) return;
    throw new Refused({ code: 403, reason: ACCESS_DENIED, message: `${user} may not` });
  }

  #found(ref: ObjectRef, resourceVersion?: string, uid?: string): Body {
    const object = this.#objects.get(keyOfRef(ref));
    if (object === undefined) throw new Conflict(`${ref.kind} ${ref.name} not found`);
    const { metadata } = object;
    if (uid !== undefined && metadata.uid !== uid) throw new Conflict(`${ref.kind} ${ref.name} has another uid`);
    if (resourceVersion !== undefined && metadata.resourceVersion !== resourceVersion) {
      throw new Conflict(`${ref.kind} ${ref.name} has another version`);
    }
    return object;
  }

  #create(object: KubeObject): Body {
    const key = keyOfRef({ kind: object.kind, name: object.metadata.name, ...namespaceOf(object) });
    const live = this.#objects.get(key);
    if (live !== undefined) return this.#existing(object, live);
    const body = structuredClone(object) as Body;
    if (hasStatus(body)) delete body['status'];
    if (isPod(body)) body.status = newPodStatus();
    body.metadata.uid ??= this.#newUid();
    body.metadata.generation = 1;
    body.metadata.creationTimestamp = new Date(this.nowMs).toISOString();
    return this.#put(body);
  }

  #existing(wanted: KubeObject, live: Body): Body {
    const message = `${wanted.metadata.name} already exists`;
    switch (judgeExisting(wanted, live)) {
      case 'ours':
        return live;
      case 'taken':
        throw new Conflict(message);
      case 'foreign':
        throw new Refused({ code: 409, reason: 'AlreadyExists', message });
    }
  }

  #store(before: Body, after: Body): Body | undefined {
    if (isSame(before, after)) return before;
    const { deletionTimestamp, finalizers = [] } = after.metadata;
    if (deletionTimestamp !== undefined && finalizers.length === 0 && !isPod(after)) return this.#remove(before);
    if (!isSame(desired(before), desired(after))) after.metadata.generation = (before.metadata.generation ?? 0) + 1;
    return this.#put(after);
  }

  #delete(ref: ObjectRef, gracePeriodSeconds?: number): Body | undefined {
    const object = this.#found(ref);
    if (isPod(object) && (goesAtOnce(object) || gracePeriodSeconds === 0)) return this.#remove(object);
    if (object.metadata.deletionTimestamp !== undefined) return object;
    const deletionTimestamp = new Date(this.nowMs).toISOString();
    const generation = (object.metadata.generation ?? 0) + 1;
    const dying = { ...object, metadata: { ...object.metadata, deletionTimestamp, generation } };
    return this.#store(object, dying);
  }

  #remove(object: Body): undefined {
    this.#objects.delete(keyOfRef(refTo(object)));
    this.#version++;
  }

  #put(object: Body): Body {
    const metadata = { ...object.metadata, resourceVersion: String(++this.#version) };
    const stored: Body = { ...object, metadata };
    if (stored.kind === 'VirtualMachine' && stored['status'] !== undefined) {
      stored['status'] = { printableStatus: 'Stopped', ...(stored['status'] as object) };
    }
    // What is absent in JSON is absent.
    const json = JSON.parse(JSON.stringify(stored)) as Body;
    this.#objects.set(keyOfRef(refTo(json)), json);
    return json;
  }

  #newUid(): string {
    const hex = createHash('sha1')
      .update(String(this.#uid++))
      .digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}

/** What a write leaves behind: on the status subresource only the status, else all but it. */
function merged(before: Body, after: Body, isStatus: boolean): Body {
  const { status, ...rest } = after;
  if (isStatus) return { ...before, status };
  const { uid, generation, creationTimestamp, deletionTimestamp } = before.metadata;
  const metadata = { ...after.metadata, uid, generation, creationTimestamp, deletionTimestamp };
  if (!hasStatus(before)) return { ...after, metadata };
  return { ...rest, metadata, status: before['status'] } as Body;
}

/** What counts for the generation. */
function desired(object: Body): unknown {
  const { metadata: _m, status: _s, ...rest } = object;
  return hasStatus(object) ? rest : { ...rest, status: object['status'] };
}

function hasStatus(object: KubeObject): boolean {
  return kindNamed(object.kind)?.statusSubresource === true;
}

function refOf(action: Exclude<Action, EventAction>): ObjectRef {
  return 'object' in action ? refTo(action.object) : action.target;
}

function refTo(object: KubeObject): ObjectRef {
  return { kind: object.kind, name: object.metadata.name, ...namespaceOf(object) };
}

function namespaceOf(object: KubeObject): { namespace?: string } {
  const { namespace } = object.metadata;
  return namespace === undefined ? {} : { namespace };
}

function keyOfRef(ref: ObjectRef): string {
  return `${ref.kind}/${keyFor(ref.namespace, ref.name)}`;
}
