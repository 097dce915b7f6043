import { createHmac } from 'node:crypto';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { mapTexts } from './map-texts.ts';
import { isSecretMember, mustBeSealed } from './sealed-text.ts';

/** A text that was sealed, and where it belongs. */
export interface SealedText {
  readonly sealed: string;
  readonly text: string;
  /** The member under which it stands. */
  readonly member: string;
  /** Of the object that holds it; empty: the object is cluster-wide. */
  readonly namespace: string;
  /** `value`: of a secret member. `text`: one that mentions a secret member. */
  readonly type: 'value' | 'text';
}

const NONE: readonly SealedText[] = [];

/**
 * Replaces the secret texts of objects by an HMAC. Equal texts under members of the same name in the same namespace have equal
 * seals, so that objects can be compared; nothing else can be learnt from one.
 *
 * An object in the relay's caches is sealed once per version.
 */
export class Sealer {
  readonly #key: string;
  readonly #sealed = new WeakMap<KubeObject, KubeObject>();
  readonly #contents = new WeakMap<KubeObject, readonly SealedText[]>();

  constructor(key: string) {
    this.#key = key;
  }

  /** The object without its secrets; the object itself if it has none. */
  seal(object: KubeObject): KubeObject {
    const known = this.#sealed.get(object);
    if (known !== undefined) return known;
    const namespace = object.metadata.namespace ?? '';
    const contents: SealedText[] = [];
    const sealed = mapTexts(object, '', (text, member) => {
      if (!mustBeSealed(text, member)) return text;
      const content = {
        sealed: this.#sealOf(text, member, namespace),
        text,
        member,
        namespace,
        type: isSecretMember(member) ? 'value' : 'text',
      } as const;
      contents.push(content);
      return content.sealed;
    }) as KubeObject;
    this.#sealed.set(object, sealed);
    if (contents.length > 0) this.#contents.set(sealed, contents);
    return sealed;
  }

  /** What was sealed in an object that `seal` gave. */
  contentsOf(sealed: KubeObject): readonly SealedText[] {
    return this.#contents.get(sealed) ?? NONE;
  }

  #sealOf(text: string, member: string, namespace: string): string {
    const hmac = createHmac('sha256', this.#key).update(JSON.stringify([namespace, member]));
    return `sealed:${hmac.update(text).digest('base64url')}`;
  }
}
