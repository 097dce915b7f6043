/** What one server's ids and versions are on the other: learnt from answers that should be the same. */
import { isObj, type Obj, type Value } from '../json/value.ts';

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const TOKEN_VOLUME = /kube-api-access-[a-z0-9]{5}/g;
/** Each server's own. */
const OWN: ReadonlySet<string> = new Set(['managedFields', 'ca.crt', 'lastPhaseTransitionTime']);

export class Counterparts {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  /** A request that was meant for the model, as it has to be for the other. */
  translated(value: Value): Value {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((v) => this.translated(v));
    if (!isObj(value)) return value;
    const made: Obj = {};
    const isVersionTest = typeof value.path === 'string' && value.path.endsWith('/resourceVersion');
    for (const [name, v] of Object.entries(value)) {
      const isVersion = typeof v === 'string' && (name === 'resourceVersion' || (isVersionTest && name === 'value'));
      if (v !== undefined) made[name] = isVersion ? (this.#versions.get(v) ?? v) : this.translated(v);
    }
    return made;
  }

  text(text: string): string {
    return text.replace(UID, (uid) => this.#uids.get(uid) ?? uid);
  }

  /** Where the two differ, in no more than what may; learns as it goes. */
  difference(model: Value | undefined, other: Value | undefined, path = ''): string | undefined {
    if (Array.isArray(model) && Array.isArray(other)) {
      for (let i = 0; i < Math.max(model.length, other.length); i++) {
        const found = this.difference(model[i], other[i], `${path}[${i}]`);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (isObj(model) && isObj(other)) return this.#members(model, other, path);
    if (typeof model === 'string' && typeof other === 'string' && this.#sameText(model, other, path)) return undefined;
    if (model === other) return undefined;
    return `${path}: ${JSON.stringify(model)} -> ${JSON.stringify(other)}`;
  }

  #members(model: Obj, other: Obj, path: string): string | undefined {
    // Ids first: other members may hold them.
    const names = [...new Set([...Object.keys(model), ...Object.keys(other)])].sort((a, b) => rank(a) - rank(b));
    for (const name of names) {
      if (OWN.has(name)) continue;
      const found = this.difference(model[name], other[name], `${path}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #sameText(model: string, other: string, path: string): boolean {
    if (path.endsWith('.resourceVersion')) {
      this.#versions.set(model, other);
      return true;
    }
    if (path.endsWith('.metadata.uid') && !this.#uids.has(model)) this.#uids.set(model, other);
    if (TIME.test(model) && TIME.test(other)) return true;
    const even = (text: string): string => text.replace(TOKEN_VOLUME, 'kube-api-access-x');
    return even(this.text(model)) === even(other);
  }
}

function rank(name: string): number {
  return name === 'uid' ? 0 : name === 'metadata' ? 1 : 2;
}
