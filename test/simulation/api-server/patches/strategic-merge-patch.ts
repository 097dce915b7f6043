/** Kubernetes' own merge patch: lists of objects with a merge key are merged item by item. */
import { equal, isObj, type Obj, type Value } from '../json/value.ts';

/** Merge key by the list's name, where it is the same for every kind. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  conditions: 'type',
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  env: 'name',
  ownerReferences: 'uid',
  hostAliases: 'ip',
  imagePullSecrets: 'name',
  secrets: 'name',
  addresses: 'type',
  podIPs: 'ip',
  hostIPs: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
  schedulingGates: 'name',
};
/** A merge key that differs by where the list lies: those of a container, and those of a Service. */
const PORT_KEYS = ['containerPort', 'port'];
const SETS: ReadonlySet<string> = new Set(['finalizers']);

/** Neither argument is changed; the result may share parts with them. */
export function strategicMerged(target: Value | undefined, patch: Value): Value {
  if (!isObj(patch)) return patch;
  if (patch.$patch === 'replace') return without(patch, '$patch');
  const made: Obj = isObj(target) ? { ...target } : {};
  if (patch.$patch === 'delete') return {};
  for (const [name, v] of Object.entries(patch)) {
    if (v === undefined || name.startsWith('$')) continue;
    if (v === null) delete made[name];
    else if (Array.isArray(v)) made[name] = mergedList(name, made[name], v);
    else made[name] = strategicMerged(made[name], v);
  }
  for (const [name, v] of Object.entries(patch)) {
    if (name.startsWith('$deleteFromPrimitiveList/') && Array.isArray(v)) {
      const list = name.slice('$deleteFromPrimitiveList/'.length);
      const old = made[list];
      if (Array.isArray(old)) made[list] = old.filter((o) => !v.some((x) => equal(x, o)));
    }
  }
  return made;
}

function mergedList(name: string, target: Value | undefined, patch: Value[]): Value {
  const old = Array.isArray(target) ? target : [];
  if (SETS.has(name)) return [...patch, ...old.filter((o) => !patch.some((p) => equal(o, p)))];
  const key = name === 'ports' ? PORT_KEYS.find((k) => patch.some((p) => isObj(p) && k in p)) : MERGE_KEYS[name];
  if (key === undefined) return patch;
  if (patch.some((p) => isObj(p) && p.$patch === 'replace')) return patch.filter((p) => !(isObj(p) && '$patch' in p));
  const placeOf = (item: Value): number => old.findIndex((o) => isObj(o) && isObj(item) && equal(o[key], item[key]));
  const sent = patch.filter(isObj);
  const untouched = old.filter((o) => !sent.some((p) => isObj(o) && equal(o[key], p[key])));
  const changed = sent.filter((p) => p.$patch !== 'delete');
  return interleaved(changed, untouched, placeOf).map((item) => {
    const place = placeOf(item);
    const own = changed.find((p) => p === item);
    return own === undefined || place < 0 ? item : strategicMerged(old[place], own);
  });
}

/** What is sent keeps its order, and so does the rest; among each other they keep the old one, and new items come first. */
function interleaved(sent: readonly Value[], rest: readonly Value[], placeOf: (item: Value) => number): Value[] {
  const made: Value[] = [];
  let next = 0;
  for (const item of sent) {
    const place = placeOf(item);
    for (; next < rest.length && placeOf(rest[next] ?? null) < place; next++) made.push(rest[next] ?? null);
    made.push(item);
  }
  return [...made, ...rest.slice(next)];
}

function without(object: Obj, name: string): Obj {
  const { [name]: _, ...rest } = object;
  return rest;
}
