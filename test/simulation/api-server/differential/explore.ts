/**
 * By hand: plays many random sequences and prints each kind of difference once, with the steps that lead to it.
 *
 *   node explore.ts [--seed N] [--runs N] [--kind pods]
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { differences } from '../differences.ts';
import { firstDifference } from './first-difference.ts';
import { sequences, sequencesOf } from './sequences.ts';
import { startServers } from './servers.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    kind: { type: 'string' },
    shown: { type: 'string', default: '1' },
  },
});
const arbitrary = values.kind === undefined ? sequences : sequencesOf(values.kind);
const servers = await startServers(false);
try {
  const shown = new Map<string, number>();
  for (const sequence of fc.sample(arbitrary, { seed: Number(values.seed), numRuns: Number(values.runs) })) {
    const { model, real } = await servers.compare(sequence);
    const difference = firstDifference(model, real, sequence);
    if (difference === undefined) continue;
    const { steps, path } = difference;
    const step = steps.length === 1 ? steps[0] : undefined;
    const known = differences.find((d) => d.explains(difference));
    const aim = step !== undefined && 'aim' in step ? step.aim.plural : '';
    const sort = known?.what ?? `${step?.step ?? ''} ${aim} ${path.replace(/\d+/g, 'N')}`;
    const times = shown.get(sort) ?? 0;
    shown.set(sort, times + 1);
    if (known !== undefined) continue;
    if (times < Number(values.shown)) process.stdout.write(`${difference.text}\n\n`);
  }
  for (const [sort, times] of [...shown].sort((a, b) => b[1] - a[1])) process.stdout.write(`${times} x ${sort}\n`);
} finally {
  await servers.stop();
}
