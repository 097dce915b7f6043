/**
 * The model answers as the real kube-apiserver does: both play the same sequences.
 *
 * `SIMULATION_SEED` and `SIMULATION_RUNS` choose other random sequences than the usual ones.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suiteIsHere } from '../../conformance/suite.ts';
import { differences } from './differences.ts';
import { cases } from './differential/cases.ts';
import { firstDifference } from './differential/first-difference.ts';
import { sequences } from './differential/sequences.ts';
import { type Servers, startServers } from './differential/servers.ts';
import type { Sequence } from './differential/steps.ts';

const seed = Number(process.env.SIMULATION_SEED ?? 1);
const runs = Number(process.env.SIMULATION_RUNS ?? 60);

const unless = suiteIsHere() ? '' : ' (skipped: no definitions of the conformance suite beside the checkout)';

describe.skipIf(!suiteIsHere())(`model and kube-apiserver${unless}`, () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers(false);
  });
  afterAll(() => servers?.stop());

  const differenceIn = async (sequence: Sequence) => {
    const { model, real } = await servers.compare(sequence);
    return firstDifference(model, real, sequence);
  };

  test.each(Object.entries(cases))('%s', async (_, sequence) => {
    expect((await differenceIn(sequence))?.text).toBeUndefined();
  });

  test(`${runs} random sequences, seed ${seed}`, async () => {
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const found = await differenceIn(sequence);
      if (found === undefined || differences.some((d) => d.explains(found))) return;
      throw new Error(found.text);
    });
    await fc.assert(property, { seed, numRuns: runs, interruptAfterTimeLimit: 60_000 });
  });

  test.each(differences)('listed: $what', async ({ shows, explains }) => {
    const found = await differenceIn(shows);
    expect(found, 'a listed difference is not there any more').toBeDefined();
    if (found !== undefined) expect(explains(found), found.text).toBe(true);
  });
});
