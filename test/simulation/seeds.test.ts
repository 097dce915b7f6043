import { expect, test } from 'vitest';
import { runSeed } from './seeded-run.ts';
import { HANG_MS, withScenarios } from './with-scenarios.ts';

const SEEDS = 200;
const GROUP = 10;

withScenarios(() => {
  test.for(Array.from({ length: SEEDS / GROUP }, (_, i) => i * GROUP + 1))(
    'ten seeds from %i on: whatever goes wrong, all comes to its end',
    { timeout: HANG_MS },
    async (from) => {
      const failures: string[] = [];
      for (let seed = from; seed < from + GROUP; seed++) {
        const { violations } = (await runSeed(seed)).result;
        if (violations.length > 0) failures.push(`--seed ${seed}: ${violations.slice(0, 3).join('; ')}`);
      }
      expect(failures).toEqual([]);
    },
  );
});
