// Proof that the simulation bites: it finds each of these defects of the product.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { checkoutFolder } from '../../../infra/local/paths.ts';
import { HANG_MS, withScenarios } from '../with-scenarios.ts';
import type { Finding } from './hunt.ts';
import { mutations } from './mutations.ts';

const execute = promisify(execFile);

/** What the simulation finds in a process of its own whose product has that defect. */
async function findingOf(name: string): Promise<Finding> {
  const { stdout } = await execute(process.execPath, [join(import.meta.dirname, 'mutant.ts'), name]);
  return JSON.parse(stdout) as Finding;
}

test.for(mutations)('$name: its place is there, once', ({ file, find }) => {
  expect(readFileSync(join(checkoutFolder, file), 'utf8').split(find)).toHaveLength(2);
});

withScenarios(() => {
  test.for(mutations.map(({ name }) => name))('found: %s', { timeout: HANG_MS }, async (name) => {
    expect((await findingOf(name)).violation).toBeDefined();
  });
});
