import { test } from 'vitest';
import { suiteFolder, suiteIsHere } from '../conformance/suite.ts';

/** Against hangs only: hundreds of runs are one test, and machines are shared. */
export const HANG_MS = 30 * 60_000;

/** Defines tests that play scenarios of the conformance suite; where that is not, one skipped test says so. */
export function withScenarios(define: () => void): void {
  if (suiteIsHere()) define();
  else test.skip(`simulation: the scenarios are not on this machine (${suiteFolder})`, () => undefined);
}
