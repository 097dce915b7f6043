/** Patches of the model cluster: applied as the simulation's model of the API server does, which is held to the real one. */
import type { JsonPatchOperation } from '../../../functions/core/action.ts';
import { copied, equal } from '../../simulation/api-server/json/value.ts';
import { jsonPatched } from '../../simulation/api-server/patches/json-patch.ts';
import { mergePatched } from '../../simulation/api-server/patches/merge-patch.ts';
import { Refusal } from '../../simulation/api-server/refusals.ts';

/** Thrown for a test that does not hold, and for a path that leads nowhere. */
export class PatchError extends Error {}

export function applyJsonPatch<T>(document: T, operations: readonly JsonPatchOperation[]): T {
  try {
    return jsonPatched(copied(document), copied(operations)) as T;
  } catch (error) {
    throw error instanceof Refusal ? new PatchError(error.message) : error;
  }
}

export function applyMergePatch(target: unknown, patch: unknown): unknown {
  return copied(mergePatched(copied(target), copied(patch)));
}

/** Equality of JSON values; the order of members does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  return equal(copied(a), copied(b));
}
