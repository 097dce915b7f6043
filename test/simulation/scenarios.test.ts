import { expect, test } from 'vitest';
import { requiredScenarios } from '../conformance/suite.ts';
import { simulate } from './scenario/simulate-scenario.ts';
import { HANG_MS, withScenarios } from './with-scenarios.ts';

const HOUR_MS = 3_600_000;

withScenarios(() => {
  test.for(requiredScenarios())(
    '%s gives what it gives on a real API server, and nothing is written in the hour after it',
    { timeout: HANG_MS },
    async (scenario) => {
      expect((await simulate({ scenario, quietMs: HOUR_MS })).violations).toEqual([]);
    },
  );
});
