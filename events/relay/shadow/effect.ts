/** What a write would have done to the cluster, as far as it can be seen in the caches. */
import type { Action, ObjectRef } from '../../../functions/core/action.ts';
import { keyFor } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { controllerOf } from '../../../functions/core/owner.ts';
import { writtenForm } from '../../../functions/core/written-form/written-form.ts';
import { changesOf } from '../allow-list/allow-list.ts';
import { type Path, valueAt } from '../allow-list/changed-paths.ts';
import { pointerOf } from '../allow-list/field-list.ts';
import { patched } from '../allow-list/patch-changes.ts';
import { targetOf } from '../apply/expected-version.ts';
import type { Caches } from '../cache/caches.ts';
import { differences, type Extent } from './matching.ts';

type Write = Exclude<Action, { verb: 'event' | 'subresource' }>;

interface Change {
  readonly path: Path;
  /** As the decision knew it. */
  readonly from: unknown;
  /** `undefined`: the member goes. */
  readonly value: unknown;
}

export type Effect =
  /** `known`: uids of such objects that the decision knew; the new one is none of them. */
  | { readonly type: 'appears'; readonly object: KubeObject; readonly known: ReadonlySet<string> }
  | {
      readonly type: 'changes';
      readonly target: ObjectRef;
      readonly uid: string | undefined;
      readonly changes: readonly Change[];
      readonly extent: Extent;
    }
  | { readonly type: 'goes'; readonly target: ObjectRef; readonly uid: string };

/** What is to be seen of an effect now. */
export type Sight =
  /** `uid`: of the object. */
  | { readonly type: 'there'; readonly uid?: string }
  /** `paths`: where things are otherwise. `touched`: somebody has changed something of it since the decision. */
  | { readonly type: 'not-there'; readonly paths: readonly string[]; readonly touched: boolean }
  /** A new object is there that was to appear, but not as it was wanted. */
  | { readonly type: 'otherwise'; readonly uid: string; readonly paths: readonly string[] };

/**
 * The effect of an action as it would be applied. `shown`: the same action as the function gave it, `before`: its object as the
 * function was shown it; both with sealed texts, so that what is sealed in both is no change.
 */
export function effectOf(
  action: Write,
  shown: Write,
  before: KubeObject | undefined,
  known: ReadonlySet<string>,
): Effect | undefined {
  if (action.verb === 'create') return { type: 'appears', object: action.object, known };
  const target = targetOf(action);
  if (action.verb === 'delete') return { type: 'goes', target, uid: action.uid };
  if (before === undefined || shown.verb === 'create') return undefined;
  const after = afterwards(action, before);
  const changes = changesOf(shown, before).map((path) => ({
    path,
    from: valueAt(before, path),
    value: valueAt(after, path),
  }));
  const extent = action.verb === 'patch' && action.patch.type === 'strategic' ? 'wanted' : 'all';
  return { type: 'changes', target, uid: before.metadata.uid, changes, extent };
}

function afterwards(action: Exclude<Write, { verb: 'create' | 'delete' }>, before: KubeObject): unknown {
  if (action.verb !== 'patch') return action.object;
  return action.patch.type === 'json' ? patched(before, action.patch.operations) : action.patch.body;
}

const NOTHING: Sight = { type: 'not-there', paths: [], touched: false };

/** `undefined`: objects of its kind are in no cache. */
export function sightOf(effect: Effect, caches: Caches): Sight | undefined {
  const cache = caches.named(effect.type === 'appears' ? effect.object.kind : effect.target.kind);
  if (cache === undefined) return undefined;
  if (effect.type === 'appears') {
    const found = [...cache.values()].find((o) => isTheOne(o, effect));
    return found === undefined ? NOTHING : asWanted(effect.object, found);
  }
  const live = cache.get(keyFor(effect.target.namespace, effect.target.name));
  if (effect.type === 'goes') {
    const isGone = live?.metadata.uid !== effect.uid || live.metadata.deletionTimestamp !== undefined;
    return isGone ? { type: 'there' } : NOTHING;
  }
  if (live === undefined || live.metadata.uid !== effect.uid) return NOTHING;
  const written = writtenForm(live);
  const paths = effect.changes.flatMap(({ path, value }) =>
    differences(value, valueAt(written, path), effect.extent, path),
  );
  if (paths.length === 0) return { type: 'there' };
  const touched = effect.changes.some(({ path, from }) => differences(from, valueAt(written, path), 'all').length > 0);
  return { type: 'not-there', paths: paths.map(pointerOf), touched };
}

/** Whether an object is the one that was to be created, by whatever name: names after `generateName` are everybody's own. */
export function isTheOne(object: KubeObject, { object: wanted, known }: Extract<Effect, { type: 'appears' }>): boolean {
  const [w, o] = [wanted.metadata, object.metadata];
  if (object.kind !== wanted.kind || w.namespace !== o.namespace || known.has(o.uid ?? '')) return false;
  if (w.generateName === undefined) return w.name === o.name;
  return w.generateName === o.generateName && controllerOf(wanted)?.uid === controllerOf(object)?.uid;
}

function asWanted(wanted: KubeObject, found: KubeObject): Sight {
  const uid = found.metadata.uid ?? '';
  const { name: _, ...metadata } = wanted.metadata;
  const paths = differences({ ...wanted, metadata, status: undefined }, found, 'wanted').map(pointerOf);
  return paths.length === 0 ? { type: 'there', uid } : { type: 'otherwise', uid, paths };
}

/** Equal for writes that want the same; times do not count. */
export function fingerprint(effect: Effect): string {
  const { type } = effect;
  const content = type === 'appears' ? { ...effect.object } : type === 'changes' ? effect.changes : effect.uid;
  return JSON.stringify([type, type === 'appears' ? '' : effect.target, content], (name, value: unknown) =>
    name === 'resourceVersion' || (typeof value === 'string' && !Number.isNaN(Date.parse(value)) && value.endsWith('Z'))
      ? undefined
      : value,
  );
}
