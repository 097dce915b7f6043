import type { RenderedPod } from './input.ts';
import { RenderError, type RenderProblem } from './render-error.ts';

export interface Failed {
  readonly type: 'error';
  readonly problem: RenderProblem;
  readonly message: string;
}

/** A pod, or why it cannot be rendered. */
export type PodResult = { readonly type: 'rendered'; readonly pod: RenderedPod } | Failed;

/** Turns the one exception of rendering into a result. */
export function attempt<T>(work: () => T): { readonly type: 'done'; readonly value: T } | Failed {
  try {
    return { type: 'done', value: work() };
  } catch (error) {
    if (error instanceof RenderError) return { type: 'error', problem: error.problem, message: error.message };
    throw error;
  }
}
