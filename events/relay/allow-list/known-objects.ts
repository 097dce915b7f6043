import type { EventAction, ObjectRef } from '../../../functions/core/action.ts';
import { keyFor } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { ReconcileItem } from '../../envelope/envelope.ts';

/** The objects that an answer may be about: those of the snapshot that it answers, and those that it creates itself. */
export class KnownObjects {
  readonly #byRef = new Map<string, KubeObject>();
  /** By uid: the objects, and by the uids of their owners the objects that name them. */
  readonly #byUid = new Map<string, KubeObject>();
  readonly #byOwnerUid = new Map<string, KubeObject>();

  constructor({ primary, reads }: Pick<ReconcileItem, 'primary' | 'reads'>) {
    // What comes first is kept: the primary is whole where a read may have projected it.
    for (const object of [primary, ...Object.values(reads)].flat()) if (object !== null) this.add(object);
  }

  add(object: KubeObject): void {
    const { kind, metadata } = object;
    const ref = refOf({ kind, ...metadata });
    if (this.#byRef.has(ref)) return;
    this.#byRef.set(ref, object);
    if (metadata.uid !== undefined) this.#byUid.set(metadata.uid, object);
    for (const { uid } of metadata.ownerReferences ?? [])
      if (!this.#byOwnerUid.has(uid)) this.#byOwnerUid.set(uid, object);
  }

  get(ref: ObjectRef): KubeObject | undefined {
    return this.#byRef.get(refOf(ref));
  }

  withUid(uid: string): KubeObject | undefined {
    return this.#byUid.get(uid);
  }

  /** An object that has the owner of that uid. */
  ownedBy(uid: string): KubeObject | undefined {
    return this.#byOwnerUid.get(uid);
  }
}

function refOf({ kind, namespace, name }: ObjectRef | EventAction['regarding']): string {
  return `${kind}/${keyFor(namespace, name)}`;
}
