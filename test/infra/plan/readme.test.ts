import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../infra/build/project.ts';

const folder = join(ROOT, 'infra/plan');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

test('the example of the README is the one in the folder, and its output is what is printed', () => {
  const [example, output = ''] = blocks;
  expect(example).toBe(readFileSync(join(folder, 'example.yaml'), 'utf8'));

  const args = [join(folder, 'plan.ts'), '-f', join(folder, 'example.yaml')];
  const printed = spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
  let rest = printed;
  for (const part of output.split('[...]\n')) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
});
