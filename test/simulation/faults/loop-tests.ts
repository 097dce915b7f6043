import { expect, test } from 'vitest';
import { requiredScenarios } from '../../conformance/suite.ts';
import { LoopFaults, runFault } from '../loop-run.ts';
import { HANG_MS, withScenarios } from '../with-scenarios.ts';
import { type LoopName, replicasIn } from './loops.ts';

/** Enough to see what is wrong. */
const MOST_FAILURES = 5;

/** One test for each scenario, or each of some: every fault of the loop, one at a time. */
export function testLoop(loop: LoopName, isMeant: (scenario: string) => boolean = () => true): void {
  const faults = new LoopFaults(loop);
  withScenarios(() => {
    test.for(requiredScenarios().filter(isMeant))(
      `%s comes through each single fault of ${loop}`,
      { timeout: HANG_MS },
      async (scenario) => {
        const failures: string[] = [];
        for (const fault of await faults.of(scenario)) {
          if (failures.length === MOST_FAILURES) break;
          const { violations } = await runFault(scenario, fault, replicasIn(loop));
          if (violations.length > 0)
            failures.push(`--fault '${JSON.stringify(fault)}': ${violations.slice(0, 3).join('; ')}`);
        }
        expect(failures).toEqual([]);
      },
    );
  });
}
