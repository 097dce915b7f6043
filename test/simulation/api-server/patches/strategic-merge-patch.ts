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
  const made = [...old];
  for (const item of patch) {
    if (!isObj(item)) continue;
    const index = made.findIndex((o) => isObj(o) && equal(o[key], item[key]));
    if (item.$patch === 'delete') {
      if (index >= 0) made.splice(index, 1);
    } else if (index >= 0) made[index] = strategicMerged(made[index], item);
    else made.push(item);
  }
  return made;
}

function without(object: Obj, name: string): Obj {
  const { [name]: _, ...rest } = object;
  return rest;
}
