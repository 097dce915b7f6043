/**
 * Applies an answer's actions, in order, up to the first that does not succeed. Everything that is learnt on the way enters the
 * caches by the same path as a watch event.
 */
import { ACCESS_DENIED, type Action, type ActionResult, type ObjectRef } from '../../../functions/core/action.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { kindNamed } from '../../../functions/core/kinds.ts';
import { keyFor } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { ReconcileItem } from '../../envelope/envelope.ts';
import type { Caches } from '../cache/caches.ts';
import type { EventRecorder } from '../events/recorder.ts';
import type { ApiRequest, KubeApi } from '../kube/api.ts';
import { ApiRefusal } from '../kube/errors.ts';
import { callPathOf, pathOf } from '../kube/paths.ts';
import type { ActionGate } from './action-gate.ts';
import { judgeExisting } from './already-exists.ts';
import { targetOf, WrittenVersions } from './expected-version.ts';
import { OwnerLocks } from './owner-locks.ts';
import { checkPrecondition } from './preconditions.ts';
import { type WritePermit, writeTimeMs } from './write-permit.ts';

/** A lost race: over the version of an object, or over a precondition. */
export type Conflict =
  | { readonly over: 'precondition' }
  /** `version`: the one that an earlier action of the same answer had made, if any. */
  | { readonly over: 'version'; readonly target: ObjectRef; readonly version: string | undefined };

export interface Applied {
  /** One per action, in order; of events only for one whose preconditions do not hold. */
  readonly results: readonly ActionResult[];
  readonly conflict?: Conflict;
}

/** Whose answer it is that is applied. */
export interface AnswerAbout {
  readonly controller: string;
  /** What was answered. */
  readonly item: ReconcileItem;
}

/** Whatever takes the actions of answers. */
export interface Applies {
  apply(actions: readonly Action[], recorder: EventRecorder, gate: ActionGate, about: AnswerAbout): Promise<Applied>;
}

type Step =
  | { readonly type: 'done'; readonly object?: KubeObject }
  | { readonly type: 'conflict'; readonly message: string; readonly conflict: Conflict }
  | { readonly type: 'failed'; readonly code: number; readonly reason: string; readonly message: string };

const MAX_WRITE_MS = 30_000;
type Failure = Extract<Step, { type: 'failed' }>;
const NOT_LEADING: Failure = { type: 'failed', code: 0, reason: 'NotLeading', message: 'leadership has ended' };
const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export class Applier implements Applies {
  readonly #api: KubeApi;
  readonly #caches: Caches;
  readonly #permit: WritePermit;
  readonly #locks = new OwnerLocks();

  constructor(api: KubeApi, caches: Caches, permit: WritePermit) {
    this.#api = api;
    this.#caches = caches;
    this.#permit = permit;
  }

  async apply(actions: readonly Action[], recorder: EventRecorder, gate: ActionGate): Promise<Applied> {
    const written = new WrittenVersions();
    const results: ActionResult[] = [];
    let conflict: Applied['conflict'];
    let stopped = false;
    for (const action of actions) {
      if (action.verb === 'event') {
        if (stopped || gate.admit(action).type === 'refused') continue;
        const obstacle = await this.#obstacleTo(action);
        if (obstacle === undefined) {
          recorder.record(action);
          continue;
        }
        stopped = true;
        results.push(resultOf(action, obstacle));
        if (obstacle.type === 'conflict') conflict = obstacle.conflict;
        continue;
      }
      if (stopped || !this.#permit.mayAct) {
        stopped = true;
        results.push({ id: action.id, status: 'not-attempted' });
        continue;
      }
      const step = await this.#admitted(action, written, gate);
      results.push(resultOf(action, step));
      if (step.type === 'done') continue;
      stopped = true;
      if (step.type === 'conflict') conflict = step.conflict;
    }
    return { results, ...(conflict === undefined ? {} : { conflict }) };
  }

  async #admitted(
    action: Exclude<Action, { verb: 'event' }>,
    written: WrittenVersions,
    gate: ActionGate,
  ): Promise<Step> {
    const admission = gate.admit(action);
    if (admission.type === 'refused')
      return { type: 'failed', code: 0, reason: 'NotAllowed', message: admission.message };
    const step = await this.#step(admission.action, written);
    return step.type === 'done' ? step : { ...step, message: gate.redact(step.message) };
  }

  /** Why an action may not be carried out as things are: what it rests on does not hold, or leadership has ended. */
  async #obstacleTo({ preconditions = [] }: Action): Promise<Exclude<Step, { type: 'done' }> | undefined> {
    if (preconditions.length === 0) return undefined;
    const timeoutMs = Math.min(MAX_WRITE_MS, writeTimeMs(this.#permit));
    if (timeoutMs === 0) return NOT_LEADING;
    try {
      for (const precondition of preconditions) {
        const outcome = await checkPrecondition(this.#api, precondition, timeoutMs);
        if (outcome.type === 'holds') continue;
        if (outcome.type === 'denied')
          return { type: 'failed', code: 403, reason: ACCESS_DENIED, message: outcome.message };
        if (outcome.found) this.#caches.named(outcome.kind)?.wrote(outcome.found);
        return { type: 'conflict', message: outcome.message, conflict: { over: 'precondition' } };
      }
    } catch (e) {
      return unreachable(e);
    }
    return this.#permit.mayAct ? undefined : NOT_LEADING;
  }

  #step(action: Exclude<Action, { verb: 'event' }>, written: WrittenVersions): Promise<Step> {
    const owner =
      action.verb === 'create' ? action.object.metadata.ownerReferences?.find((o) => o.controller)?.uid : undefined;
    // Absence and the creation that rests on it are one step for everybody who creates children of that owner.
    const run = () => this.#checkedStep(action, written);
    return owner === undefined || action.preconditions === undefined ? run() : this.#locks.run(owner, run);
  }

  async #checkedStep(action: Exclude<Action, { verb: 'event' }>, written: WrittenVersions): Promise<Step> {
    const target = targetOf(action);
    const kind = kindNamed(target.kind);
    if (kind === undefined)
      return { type: 'failed', code: 0, reason: 'UnknownKind', message: `unknown kind ${target.kind}` };
    try {
      const obstacle = await this.#obstacleTo(action);
      if (obstacle !== undefined) return obstacle;
      if (!this.#permit.mayAct || writeTimeMs(this.#permit) === 0) return NOT_LEADING;
      const { request, version } = requestOf(action, kind, target, written);
      const timed = { ...request, timeoutMs: MAX_WRITE_MS, leftMs: () => writeTimeMs(this.#permit) };
      return await this.#write(action, kind, target, timed, version, written);
    } catch (e) {
      return unreachable(e);
    }
  }

  async #write(
    action: Exclude<Action, { verb: 'event' }>,
    kind: Kind,
    target: ObjectRef,
    request: ApiRequest,
    version: string | undefined,
    written: WrittenVersions,
  ): Promise<Step> {
    try {
      const answer = await this.#api.request(request);
      return this.#succeeded(action, kind, target, answer, written);
    } catch (e) {
      if (!(e instanceof ApiRefusal)) throw e;
      if (action.verb === 'create' && e.reason === 'AlreadyExists')
        return this.#exists(action.object, kind, target, e, written);
      if (action.verb === 'delete' && e.code === 404) {
        this.#caches.named(kind.kind)?.removed(keyFor(target.namespace, target.name), action.uid);
        return { type: 'done' };
      }
      if (isLostRace(action, e))
        return { type: 'conflict', message: e.message, conflict: { over: 'version', target, version } };
      return { type: 'failed', code: e.code, reason: e.reason, message: e.message };
    }
  }

  #succeeded(
    action: Action,
    kind: Kind,
    target: ObjectRef,
    answer: KubeObject | undefined,
    written: WrittenVersions,
  ): Step {
    const cache = this.#caches.named(kind.kind);
    // A deletion that removed at once answers with a Status, one that waits with the object.
    if (answer?.kind === kind.kind && answer.metadata?.resourceVersion !== undefined) {
      cache?.wrote(answer);
      written.record(target, answer.metadata.resourceVersion);
      if (action.verb !== 'delete' || answer.metadata.deletionTimestamp !== undefined)
        return { type: 'done', object: answer };
    }
    if (action.verb === 'delete') cache?.removed(keyFor(target.namespace, target.name), action.uid);
    return { type: 'done' };
  }

  async #exists(
    wanted: KubeObject,
    kind: Kind,
    target: ObjectRef,
    e: ApiRefusal,
    written: WrittenVersions,
  ): Promise<Step> {
    const live = await this.#api.get(pathOf(kind, target.namespace, target.name));
    if (live === undefined)
      return { type: 'conflict', message: `${e.message}, and was gone at once`, conflict: { over: 'precondition' } };
    this.#caches.named(kind.kind)?.wrote(live);
    switch (judgeExisting(wanted, live)) {
      case 'ours':
        written.record(target, live.metadata.resourceVersion);
        return { type: 'done', object: live };
      case 'taken':
        return { type: 'conflict', message: e.message, conflict: { over: 'precondition' } };
      case 'foreign':
        return { type: 'failed', code: e.code, reason: e.reason, message: e.message };
    }
  }
}

/** A version or uid that is not the expected one, a patch test that fails, an object that is gone: the world moved on. */
function isLostRace(action: Action, e: ApiRefusal): boolean {
  if (action.verb === 'subresource') return false;
  if (e.code === 409) return action.verb !== 'create';
  if (e.code === 404) return action.verb !== 'create';
  return (
    e.code === 422 &&
    action.verb === 'patch' &&
    action.patch.type === 'json' &&
    action.patch.operations.some((o) => o.op === 'test')
  );
}

function requestOf(
  action: Exclude<Action, { verb: 'event' }>,
  kind: Kind,
  target: ObjectRef,
  written: WrittenVersions,
): { request: ApiRequest; version: string | undefined } {
  switch (action.verb) {
    case 'create':
      return {
        request: { method: 'POST', path: pathOf(kind, target.namespace), body: action.object },
        version: undefined,
      };
    case 'update':
    case 'updateStatus': {
      const version = written.expected(target, action.object.metadata.resourceVersion);
      const body = { ...action.object, metadata: { ...action.object.metadata, resourceVersion: version } };
      const path = pathOf(kind, target.namespace, target.name, action.verb === 'updateStatus' ? 'status' : undefined);
      return { request: { method: 'PUT', path, body }, version };
    }
    case 'patch': {
      const path = pathOf(kind, target.namespace, target.name, action.subresource);
      const contentType = patchTypes[action.patch.type];
      if (action.patch.type !== 'merge') {
        const body = action.patch.type === 'json' ? action.patch.operations : action.patch.body;
        return { request: { method: 'PATCH', path, body, contentType }, version: written.expected(target, undefined) };
      }
      const resourceVersion = written.expected(target, action.patch.resourceVersion);
      const metadata = {
        ...(action.patch.body['metadata'] as object | undefined),
        uid: action.patch.uid,
        resourceVersion,
      };
      return {
        request: { method: 'PATCH', path, body: { ...action.patch.body, metadata }, contentType },
        version: resourceVersion,
      };
    }
    case 'subresource': {
      const { body, call } = action;
      const path = callPathOf(kind, target.namespace, target.name, call);
      return { request: { method: 'PUT', path, body }, version: undefined };
    }
    case 'delete': {
      const resourceVersion = written.expected(target, action.resourceVersion);
      const body = {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: action.uid, resourceVersion },
        ...(action.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: action.gracePeriodSeconds }),
        ...(action.propagationPolicy === undefined ? {} : { propagationPolicy: action.propagationPolicy }),
      };
      return {
        request: { method: 'DELETE', path: pathOf(kind, target.namespace, target.name), body },
        version: resourceVersion,
      };
    }
  }
}

function unreachable(e: unknown): Failure {
  return { type: 'failed', code: 0, reason: 'Unreachable', message: e instanceof Error ? e.message : String(e) };
}

function resultOf(action: Action, step: Step): ActionResult {
  switch (step.type) {
    case 'done': {
      const version = step.object?.metadata.resourceVersion;
      return {
        id: action.id,
        status: 'done',
        kind: targetOf(action).kind,
        ...(version === undefined ? {} : { resourceVersion: version }),
      };
    }
    case 'conflict':
      return { id: action.id, status: 'conflict', message: step.message };
    case 'failed':
      return { id: action.id, status: 'failed', code: step.code, reason: step.reason, message: step.message };
  }
}
