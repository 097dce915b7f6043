/**
 * Operations of a JSON patch (RFC 6902), each from named parts (vmi.md 3.7, vm.md 3.3).
 *
 * Absent members are tested as `null`: the API server lets that hold for a member that is not there.
 */
import type { JsonPatchOperation } from './action.ts';

/** A JSON pointer from its segments, with `~` and `/` in them escaped: `pointer('metadata', 'labels', 'a/b')`. */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments.map((s) => `/${escapeSegment(String(s))}`).join('');
}

/** One segment of a JSON pointer: `~` becomes `~0`, `/` becomes `~1`. */
export function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Holds if the member has that value; `undefined` and `null`: if it is absent or null. */
export function testOp(path: string, value: unknown): JsonPatchOperation {
  return { op: 'test', path, value: value ?? null };
}

/** Sets a member, there or not; in a list it inserts before that position (`-`: at the end). */
export function addOp(path: string, value: unknown): JsonPatchOperation {
  return { op: 'add', path, value };
}

/** Sets a member; the API server lets it set an absent one too, if the object around it is there. */
export function replaceOp(path: string, value: unknown): JsonPatchOperation {
  return { op: 'replace', path, value };
}

/** Fails for an absent member. */
export function removeOp(path: string): JsonPatchOperation {
  return { op: 'remove', path };
}

/** The usual pair: test the value as it was read (`undefined`: absent), then replace it. */
export function testAndReplace(path: string, old: unknown, next: unknown): readonly JsonPatchOperation[] {
  return [testOp(path, old), replaceOp(path, next)];
}

/** As `testAndReplace`, but an absent member is added without a test (vmi.md 10.1). */
export function addOrReplace(path: string, old: unknown, next: unknown): readonly JsonPatchOperation[] {
  return old === undefined || old === null ? [addOp(path, next)] : testAndReplace(path, old, next);
}

/** Tests the value as it was read, then removes it. */
export function testAndRemove(path: string, old: unknown): readonly JsonPatchOperation[] {
  return [testOp(path, old), removeOp(path)];
}
