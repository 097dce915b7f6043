import type {
  Action,
  Call,
  CreateAction,
  EventAction,
  ObjectRef,
  Precondition,
  SubresourceAction,
} from '../../../functions/core/action.ts';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { Controller } from '../../../functions/core/controller.ts';
import { kindNamed, SubjectAccessReview } from '../../../functions/core/kinds.ts';
import { keyFor } from '../../../functions/core/object-index.ts';
import type { KubeObject, Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { controllerOf } from '../../../functions/core/owner.ts';
import type { Writes, WriteVerb } from '../../../functions/core/writes.ts';
import { targetOf } from '../apply/expected-version.ts';
import type { Path } from './changed-paths.ts';
import { podProblem } from './created-pod.ts';
import { FieldList, pointerOf } from './field-list.ts';
import type { KnownObjects } from './known-objects.ts';
import { patchChanges } from './patch-changes.ts';
import { putChanges } from './put-changes.ts';
import type { RefusalRule } from './refusals.ts';

export type Verdict =
  | { readonly type: 'allowed' }
  | { readonly type: 'refused'; readonly rule: RefusalRule; readonly message: string };

type Write = Exclude<Action, { verb: 'event' }>;
type Change = Exclude<Write, CreateAction | SubresourceAction>;

const ALLOWED: Verdict = { type: 'allowed' };
const verbOf: Readonly<Record<Write['verb'], WriteVerb>> = {
  create: 'create',
  update: 'update',
  updateStatus: 'update',
  patch: 'patch',
  delete: 'delete',
  subresource: 'update',
};

/** What one controller's function may ask for (design: "Allow list"). */
export class AllowList {
  /** Allowed verbs with their fields. */
  readonly #rules = new Map<string, FieldList>();
  readonly #kinds: ReadonlySet<string>;

  /** Without `writes` nothing may be written. */
  constructor(controller: Controller, writes: Writes | undefined) {
    this.#kinds = new Set(
      [controller.primary, ...Object.values(controller.reads).map((r) => r.kind)].map((k) => k.kind),
    );
    for (const { kind, subresource, verbs, fields } of writes?.rules ?? []) {
      const list = new FieldList(fields ?? []);
      for (const verb of verbs) this.#rules.set(ruleKey(kind.kind, subresource, verb), list);
    }
  }

  judge(action: Action, known: KnownObjects, configuration: ClusterConfiguration): Verdict {
    const foreign = action.preconditions?.find((p) => !this.#mayAsk(p));
    if (foreign !== undefined) return refused('precondition', `it asks about ${askedBy(foreign)}`);
    if (action.verb === 'event') return judgeEvent(action, known);
    const target = targetOf(action);
    const subresource = subresourceOf(action);
    const fields = this.#rules.get(ruleKey(target.kind, subresource, verbOf[action.verb]));
    if (fields === undefined) return refused('verb', `${verbOf[action.verb]} of ${nameOf(target, subresource)}`);
    if (action.verb === 'create') return judgeCreation(action, known, configuration);
    const before = known.get(target);
    if (before === undefined) return refused('object', `${nameOf(target)} was not in the snapshot`);
    if (action.verb === 'subresource') return ALLOWED;
    const stranger = strangerIn(action, before);
    if (stranger !== undefined) return refused('object', `${nameOf(target)} was there with another ${stranger}`);
    const path = changesOf(action, before).find((p) => !fields.covers(p));
    if (path !== undefined) return refused('field', `${pointerOf(path)} of ${nameOf(target, subresource)}`);
    return ALLOWED;
  }

  /** About objects of the kinds that the controller reads; about others' rights where it declares that it asks. */
  #mayAsk(precondition: Precondition): boolean {
    return precondition.type === 'access-allowed'
      ? this.#rules.has(ruleKey(SubjectAccessReview.kind, undefined, 'create'))
      : this.#kinds.has(precondition.kind);
  }
}

function askedBy(precondition: Precondition): string {
  return precondition.type === 'access-allowed' ? `rights of ${precondition.user}` : `a ${precondition.kind}`;
}

function judgeEvent({ regarding }: EventAction, known: KnownObjects): Verdict {
  const object = known.get(regarding);
  if (object === undefined) return refused('object', `${nameOf(regarding)} was not in the snapshot`);
  const { uid } = object.metadata;
  return regarding.uid === undefined || uid === undefined || regarding.uid === uid
    ? ALLOWED
    : refused('object', `${nameOf(regarding)} was there with another uid`);
}

/** A new object belongs to one of the snapshot, or shares an owner with one, and lives in its namespace. */
function judgeCreation({ object }: CreateAction, known: KnownObjects, configuration: ClusterConfiguration): Verdict {
  const { namespace, ownerReferences = [] } = object.metadata;
  const owners = ownerReferences.map(({ uid }) => known.withUid(uid) ?? known.ownedBy(uid));
  const isOwned = owners.every(
    (o) => o !== undefined && (o.metadata.namespace === undefined || o.metadata.namespace === namespace),
  );
  if (owners.length === 0 || !isOwned)
    return refused('owner', `${nameOf({ kind: object.kind, ...object.metadata })} has no owner of the snapshot`);
  if (object.kind !== 'Pod') return ALLOWED;
  const owner = known.withUid(controllerOf(object)?.uid ?? '');
  const vmi = owner?.kind === 'VirtualMachineInstance' ? (owner as VirtualMachineInstance) : undefined;
  const problem = podProblem(object as Pod, vmi, configuration);
  return problem === undefined ? ALLOWED : refused('pod', problem);
}

/** The part of an action's identity that is not that of the object in the snapshot. */
function strangerIn(action: Change, { metadata }: KubeObject): 'uid' | 'version' | undefined {
  switch (action.verb) {
    case 'update':
    case 'updateStatus': {
      const { uid, resourceVersion } = action.object.metadata;
      if (uid !== metadata.uid) return 'uid';
      return resourceVersion === metadata.resourceVersion ? undefined : 'version';
    }
    case 'patch':
      return action.patch.type === 'merge' && action.patch.uid !== metadata.uid ? 'uid' : undefined;
    case 'delete':
      return action.uid === metadata.uid ? undefined : 'uid';
  }
}

/** Paths that a write changes. Where `/status` is a subresource, a write of it changes nothing else, and other writes not it. */
export function changesOf(action: Change, before: KubeObject): Path[] {
  switch (action.verb) {
    case 'updateStatus':
      return putChanges(before, action.object).filter(([member]) => member === 'status');
    case 'update':
      return withoutEffectless(putChanges(before, action.object), before);
    case 'patch': {
      const changes = patchChanges(before, action.patch);
      return action.subresource === 'status' ? changes : withoutEffectless(changes, before);
    }
    case 'delete':
      return [];
  }
}

function withoutEffectless(changes: Path[], { kind }: KubeObject): Path[] {
  return kindNamed(kind)?.statusSubresource === true ? changes.filter(([member]) => member !== 'status') : changes;
}

function subresourceOf(action: Write): 'status' | Call | undefined {
  if (action.verb === 'updateStatus') return 'status';
  if (action.verb === 'subresource') return action.call;
  return action.verb === 'patch' ? action.subresource : undefined;
}

function ruleKey(kind: string, subresource: string | undefined, verb: WriteVerb): string {
  return `${verb} ${kind}/${subresource ?? ''}`;
}

function nameOf({ kind, namespace, name }: ObjectRef, subresource?: string): string {
  return `${kind} ${keyFor(namespace, name)}${subresource === undefined ? '' : `/${subresource}`}`;
}

function refused(rule: RefusalRule, message: string): Verdict {
  return { type: 'refused', rule, message };
}
