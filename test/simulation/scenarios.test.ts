import { expect, test } from 'vitest';
import { requiredScenarios, suiteIsHere } from '../conformance/suite.ts';
import { simulate } from './scenario/simulate-scenario.ts';

const HOUR_MS = 3_600_000;

test.skipIf(!suiteIsHere()).for(requiredScenarios())(
  '%s gives what it gives on a real API server, and nothing is written in the hour after it',
  async (scenario) => {
    expect((await simulate({ scenario, quietMs: HOUR_MS })).violations).toEqual([]);
  },
);
