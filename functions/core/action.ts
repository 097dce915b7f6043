/**
 * Actions are data: what a function wants done, each with the conditions under which it may be done. The relay applies an
 * answer's actions in order and stops at the first failure.
 */
import type { KubeObject } from './objects.ts';

/** Names a kind of `kinds.ts`. */
export type KindName = string;

export interface ObjectRef {
  readonly kind: KindName;
  readonly namespace?: string;
  readonly name: string;
}

export interface AbsentByName extends ObjectRef {
  readonly type: 'absent-name';
}
export interface AbsentByLabels {
  readonly type: 'absent-labels';
  readonly kind: KindName;
  readonly namespace?: string;
  /** Equality selector; no live object may carry all of these labels. */
  readonly labels: Readonly<Record<string, string>>;
  /** Equality field selector, where the API serves one (`spec.nodeName` of pods): only objects that match it too count. */
  readonly fields?: Readonly<Record<string, string>>;
}
export interface Live extends ObjectRef {
  readonly type: 'live';
  /** The object must be there with this uid and without deletionTimestamp. */
  readonly uid: string;
}

/** What a user wants to do; absent members are the empty ones of Kubernetes' resource attributes. */
export interface AccessAttributes {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}
/**
 * The API server says, asked in a SubjectAccessReview, that the user may do all of one of the lists, which are asked for in
 * their order. Otherwise, and if it can't be asked, the action has failed with reason `AccessDenied`.
 */
export interface AccessAllowed {
  readonly type: 'access-allowed';
  readonly user: string;
  readonly groups: readonly string[];
  readonly anyOf: readonly (readonly AccessAttributes[])[];
}

/** Checked by the relay at the API just before it acts (design: "Absence is checked live"). */
export type Precondition = AbsentByName | AbsentByLabels | Live | AccessAllowed;

/** Reason of an action's failure whose precondition `access-allowed` does not hold. */
export const ACCESS_DENIED = 'AccessDenied';

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly value?: unknown;
}

interface ActionBase {
  /** The intent, unique within one outcome: the next delivery reports the result under it. */
  readonly id: string;
  readonly preconditions?: readonly Precondition[];
  /**
   * Set on creations and deletions of children, and on updates whose repetition would do harm: the function keeps an
   * expectation until the snapshot is known to contain the result.
   */
  readonly expect?: boolean;
}

/** POST of a whole object in its written form. With `metadata.generateName` the derived `metadata.name` is set too. */
export interface CreateAction extends ActionBase {
  readonly verb: 'create';
  readonly object: KubeObject;
}
/** PUT of a whole object in its written form; `metadata.resourceVersion` is the precondition. */
export interface UpdateAction extends ActionBase {
  readonly verb: 'update';
  readonly object: KubeObject;
}
/** PUT of the object's status subresource; `metadata.resourceVersion` is the precondition. */
export interface UpdateStatusAction extends ActionBase {
  readonly verb: 'updateStatus';
  readonly object: KubeObject;
}
export type PatchBody =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  /** `uid` and `resourceVersion` are added to the body's metadata by the relay as preconditions. */
  | {
      readonly type: 'merge';
      readonly body: Readonly<Record<string, unknown>>;
      readonly uid: string;
      readonly resourceVersion: string;
    }
  /** Built-in kinds only, where the spec names it: lists merge by their keys, nothing else of the object is touched. */
  | { readonly type: 'strategic'; readonly body: Readonly<Record<string, unknown>> };
export interface PatchAction extends ActionBase {
  readonly verb: 'patch';
  readonly target: ObjectRef;
  readonly patch: PatchBody;
  readonly subresource?: 'status';
}
export interface DeleteAction extends ActionBase {
  readonly verb: 'delete';
  readonly target: ObjectRef;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly gracePeriodSeconds?: number;
  /** What becomes of the objects that it owns; absent: as the API has it for the kind. */
  readonly propagationPolicy?: 'Background';
}
/** Requests that KubeVirt's API server carries out itself, by their last path segment. */
export type Call = 'addvolume' | 'removevolume';

/** PUT of a subresource under `subresources.kubevirt.io`. Nothing comes back; what it did is seen in the object. */
export interface SubresourceAction extends ActionBase {
  readonly verb: 'subresource';
  readonly target: ObjectRef;
  readonly call: Call;
  readonly body: Readonly<Record<string, unknown>>;
}
/**
 * An event about an object, written with the controller's component; a failure to write it never matters. One whose preconditions
 * do not hold stops the actions behind it, as any other.
 */
export interface EventAction extends ActionBase {
  readonly verb: 'event';
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly regarding: ObjectRef & {
    readonly apiVersion: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

export type Action =
  | CreateAction
  | UpdateAction
  | UpdateStatusAction
  | PatchAction
  | DeleteAction
  | SubresourceAction
  | EventAction;

/** What became of an action, reported with the key's next delivery. */
export type ActionResult =
  | { readonly id: string; readonly status: 'done'; readonly kind: KindName; readonly resourceVersion?: string }
  /** Lost a race (409, failed precondition, failed patch test): not a failure; the key comes again with newer objects. */
  | { readonly id: string; readonly status: 'conflict'; readonly message: string }
  | {
      readonly id: string;
      readonly status: 'failed';
      readonly code: number;
      readonly reason: string;
      readonly message: string;
    }
  | { readonly id: string; readonly status: 'not-attempted' };
