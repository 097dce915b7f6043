import type { Action, ObjectRef } from '../../../functions/core/action.ts';
import { keyFor } from '../../../functions/core/object-index.ts';

/** Which object an action writes. */
export function targetOf(action: Action): ObjectRef {
  switch (action.verb) {
    case 'create':
    case 'update':
    case 'updateStatus': {
      const { namespace, name } = action.object.metadata;
      return { kind: action.object.kind, name, ...(namespace === undefined ? {} : { namespace }) };
    }
    case 'patch':
    case 'delete':
    case 'subresource':
      return action.target;
    case 'event':
      return action.regarding;
  }
}

/** Versions of the objects that one answer's actions wrote: a later action on the same object takes its predecessor's result. */
export class WrittenVersions {
  readonly #versions = new Map<string, string>();

  record(target: ObjectRef, resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined) this.#versions.set(nameOf(target), resourceVersion);
  }

  /** The version that an action on that object must expect, given the one that the function knew. */
  expected(target: ObjectRef, known: string): string;
  expected(target: ObjectRef, known: string | undefined): string | undefined;
  expected(target: ObjectRef, known: string | undefined): string | undefined {
    return this.#versions.get(nameOf(target)) ?? known;
  }
}

function nameOf(target: ObjectRef): string {
  return `${target.kind}/${keyFor(target.namespace, target.name)}`;
}
