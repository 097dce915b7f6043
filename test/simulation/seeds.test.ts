import { expect, test } from 'vitest';
import { suiteIsHere } from '../conformance/suite.ts';
import { runSeed } from './seeded-run.ts';

const SEEDS = 200;
const GROUP = 10;

test.skipIf(!suiteIsHere()).for(Array.from({ length: SEEDS / GROUP }, (_, i) => i * GROUP + 1))(
  'ten seeds from %i on: whatever goes wrong, all comes to its end',
  async (from) => {
    const failures: string[] = [];
    for (let seed = from; seed < from + GROUP; seed++) {
      const { violations } = (await runSeed(seed)).result;
      if (violations.length > 0) failures.push(`--seed ${seed}: ${violations.slice(0, 3).join('; ')}`);
    }
    expect(failures).toEqual([]);
  },
);
