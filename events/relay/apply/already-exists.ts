import type { KubeObject } from '../../../functions/core/objects.ts';

/**
 * What it means that an object to be created exists (design: "Derived names").
 *
 * - `ours`: an earlier try made it; the creation has succeeded.
 * - `taken`: the derived name is borne by an object that does not count; another ordinal will be taken.
 * - `foreign`: the name is fixed, and the object is somebody else's.
 */
export type Existing = 'ours' | 'taken' | 'foreign';

export function judgeExisting(wanted: KubeObject, live: KubeObject): Existing {
  if (isOurs(wanted, live)) return 'ours';
  return wanted.metadata.generateName === undefined ? 'foreign' : 'taken';
}

/** Runs no more. The phase of a data volume tells of its content, and it stays what it is. */
function isFinished(live: KubeObject): boolean {
  if (live.kind === 'DataVolume') return false;
  const phase = (live as { status?: { phase?: string } }).status?.phase;
  return phase === 'Succeeded' || phase === 'Failed';
}

function isOurs(wanted: KubeObject, live: KubeObject): boolean {
  const { metadata: w } = wanted;
  const { metadata: l } = live;
  if (l.deletionTimestamp !== undefined || isFinished(live)) return false;
  if (w.generateName !== l.generateName || w.name !== l.name) return false;
  const owners = (w.ownerReferences ?? []).every((o) =>
    l.ownerReferences?.some((x) => x.uid === o.uid && x.controller === o.controller),
  );
  const labels = Object.entries(w.labels ?? {}).every(([k, v]) => l.labels?.[k] === v);
  return owners && labels;
}
