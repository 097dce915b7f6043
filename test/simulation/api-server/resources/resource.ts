import type { Value } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import type { StatusCause } from '../ports.ts';

/** One kind of objects, as the server serves it. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Served ones. */
  readonly versions: readonly string[];
  /** `group/version` in which objects are stored. */
  readonly storedAs: string;
  readonly strategy: Strategy;
}

/** What distinguishes a kind's objects when they are written. Functions get an object that is theirs to change. */
export interface Strategy {
  /** Custom resources: a body must name its kind, list items do so too, and strategic merge patches are refused. */
  readonly custom: boolean;
  /** Reads what a client sent (or a patch made of it): unknown fields vanish, defaults are filled in. Throws `Refusal`. */
  readonly decode: (body: Value, version: string) => ApiObject;
  /** Fields that a client may not set on creation, and those that are derived. */
  readonly prepareCreate?: (object: ApiObject, now: string) => void;
  /** Fields that a client may not change. */
  readonly prepareUpdate?: (next: ApiObject, old: ApiObject) => void;
  /** Subresource `status`; absent: there is none. Makes of what was sent the object to be stored. */
  readonly prepareStatus?: (next: ApiObject, old: ApiObject, now: string) => void;
  /** Absent: the kind has no generation. Otherwise whether the change is one that counts. */
  readonly isNewGeneration?: (next: ApiObject, old: ApiObject) => boolean;
  readonly validate?: (object: ApiObject) => StatusCause[];
  readonly validateUpdate?: (next: ApiObject, old: ApiObject) => StatusCause[];
  readonly validateStatus?: (next: ApiObject, old: ApiObject) => StatusCause[];
  /** A PUT without resourceVersion is taken for one on the newest version. */
  readonly unconditionalUpdate: boolean;
  /** The first write to a new object makes a new version though it changes nothing: so the server stores claims. */
  readonly firstWriteCounts?: boolean;
  /** A PUT of what is not there creates it. */
  readonly createOnUpdate: boolean;
  /** A deletion at once answers with the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** Grace that a deletion gives, in seconds, by what was asked; absent: the kind knows none. */
  readonly graceSeconds?: (object: ApiObject, asked: number | undefined) => number;
  /** Fields that a field selector may name, beside those of the metadata. */
  readonly selectable: Readonly<Record<string, (object: ApiObject) => string>>;
  readonly nameRule: 'subdomain' | 'label' | 'path-segment' | 'service';
}

export const plainStrategy = {
  custom: false,
  unconditionalUpdate: true,
  createOnUpdate: false,
  returnsDeleted: false,
  selectable: {},
  nameRule: 'subdomain',
} as const;

export function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Where an object lies in its collection. */
export function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
