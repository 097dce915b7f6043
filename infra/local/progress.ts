/** What a long step is doing right now, for a screen. */
export interface Progress {
  /** The step as a heading: `control plane`. Equal for all reports of one step. */
  readonly step: string;
  /** One line that replaces the step's earlier one: `compiled 812 of 1931 packages, 74 s`. */
  readonly text: string;
}

export type Report = (progress: Progress) => void;

/** Whole seconds since `startedAtMs` (of `performance.now`), written `74 s`. */
export function elapsed(startedAtMs: number): string {
  return `${Math.round((performance.now() - startedAtMs) / 1000)} s`;
}
