import { RenderError } from '../render-error.ts';
import type { HookSidecar } from './hook-sidecar.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads the annotation that lists hook sidecars (launcher-pod.md 13.6). `null` counts as absent everywhere.
 *
 * @throws RenderError `bad-sidecars`
 */
export function parseSidecars(annotation: string): readonly HookSidecar[] {
  let list: unknown;
  try {
    list = JSON.parse(annotation);
  } catch {
    throw bad('no JSON');
  }
  if (list === null) return [];
  if (!Array.isArray(list)) throw bad('no list');
  return list.map((entry, index) => sidecar(membersOf(entry, `entry ${index}`), `entry ${index}`));
}

function sidecar(entry: Json, where: string): HookSidecar {
  const configMap = entry['configMap'] ?? undefined;
  const pvc = entry['pvc'] ?? undefined;
  return {
    ...texts(entry, ['image', 'imagePullPolicy'], where),
    ...lists(entry, ['command', 'args'], where),
    ...(configMap === undefined
      ? {}
      : { configMap: texts(membersOf(configMap, where), ['name', 'key', 'hookPath'], where) }),
    ...(pvc === undefined
      ? {}
      : { pvc: texts(membersOf(pvc, where), ['name', 'volumePath', 'sharedComputePath'], where) }),
  };
}

function texts<K extends string>(from: Json, keys: readonly K[], where: string): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const value = from[key] ?? undefined;
    if (value === undefined) continue;
    if (typeof value !== 'string') throw bad(`${key} of ${where} is no text`);
    found[key] = value;
  }
  return found;
}

function lists<K extends string>(from: Json, keys: readonly K[], where: string): Partial<Record<K, string[]>> {
  const found: Partial<Record<K, string[]>> = {};
  for (const key of keys) {
    const value = from[key] ?? undefined;
    if (value === undefined) continue;
    if (!Array.isArray(value) || !value.every((v) => typeof v === 'string')) {
      throw bad(`${key} of ${where} is no list of texts`);
    }
    found[key] = value;
  }
  return found;
}

function membersOf(value: unknown, where: string): Json {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw bad(`${where} is no object`);
  return value as Json;
}

function bad(detail: string): RenderError {
  return new RenderError({ type: 'bad-sidecars', detail });
}
