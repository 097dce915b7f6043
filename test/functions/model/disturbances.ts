import { expect, test } from 'vitest';
import type { Disturbance } from './driver.ts';

const disturbances: readonly [string, Disturbance][] = [
  ...[0, 1, 2, 3].map((limit): [string, Disturbance] => [`cut after ${limit} actions`, { limit }]),
  ...[0, 1, 2, 3].map((limit): [string, Disturbance] => [
    `cut after ${limit}, report lost`,
    { limit, reportLost: true },
  ]),
  ['answer lost', { answerLost: true }],
  ['report lost', { reportLost: true }],
];

/** Plays a course of so many steps; `disturb` is called in each, between what others do and the controller's passes. */
export type Course<W> = (disturb: (world: W, step: number) => void) => readonly unknown[];

/** Tests that the course ends like `undisturbed` with any one pass disturbed (design 8, invariant 2). */
export function testEachDisturbance<W extends { pass(disturbance?: Disturbance): unknown }>(
  stepCount: number,
  course: Course<W>,
  undisturbed: readonly unknown[],
): void {
  for (const [name, disturbance] of disturbances) {
    for (let at = 0; at < stepCount; at++) {
      for (const before of [0, 1]) {
        test(`${name}, in step ${at} after ${before} good passes`, () => {
          const end = course((world, step) => {
            if (step !== at) return;
            for (let i = 0; i < before; i++) world.pass();
            world.pass(disturbance);
          });
          expect(end).toEqual(undisturbed);
        });
      }
    }
  }
}
