import type { ActionResult, KindName } from './action.ts';

/**
 * A write of an earlier pass that the relay's view of its kind may not show yet (design: "Expectations").
 *
 * `resourceVersion` absent: the result is not known (the answer or the report of it was lost). Then nobody waits: names are
 * derived, so the same action is handed out again under the same name.
 */
export interface StoredExpectation {
  readonly id: string;
  readonly kind: KindName;
  readonly resourceVersion?: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** An expectation with a known result that the reflector's position has not reached. */
export interface OpenExpectation {
  readonly id: string;
  readonly kind: KindName;
  readonly resourceVersion: string;
  readonly since: number;
}

/** After this time an expectation no longer holds anything back. */
export const EXPECTATION_LIMIT_MS = 5 * 60_000;

/**
 * What is left of stored expectations at a new delivery.
 *
 * | result in this delivery | expectation |
 * |---|---|
 * | failed, conflict, not attempted | closed |
 * | done with a version | open until the position of the kind reaches the version |
 * | done without a version (a delete that removed at once) | closed |
 * | none, version known from before | as above |
 * | none, version unknown | closed: the action is handed out again |
 */
export function openExpectations(
  stored: readonly StoredExpectation[],
  results: readonly ActionResult[],
  positions: Readonly<Record<KindName, string>>,
  nowMs: number,
): readonly OpenExpectation[] {
  const open: OpenExpectation[] = [];
  for (const e of stored) {
    const result = results.find((r) => r.id === e.id);
    const version =
      result === undefined ? e.resourceVersion : result.status === 'done' ? result.resourceVersion : undefined;
    if (version === undefined || nowMs - e.since > EXPECTATION_LIMIT_MS) continue;
    if (reached(positions[e.kind], version)) continue;
    open.push({ id: e.id, kind: e.kind, resourceVersion: version, since: e.since });
  }
  return open;
}

/** Whether a position is at or past a version. Versions of one kind are decimal numbers of any length. */
export function reached(position: string | undefined, version: string): boolean {
  return position !== undefined && compareVersions(position, version) >= 0;
}

/** Order of two resource versions of one kind: negative, zero, positive. */
export function compareVersions(a: string, b: string): number {
  const x = BigInt(a);
  const y = BigInt(b);
  return x < y ? -1 : x > y ? 1 : 0;
}
