import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../infra/build/project.ts';

const PLAN = join(ROOT, 'infra/plan/plan.ts');
const plan = (input: string, ...args: string[]) =>
  spawnSync(process.execPath, [PLAN, ...args], { input, encoding: 'utf8' });

const vmi = (spec: object) =>
  JSON.stringify({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name: 'v' }, spec });

test('the standard input, and what is printed', () => {
  const { status, stdout, stderr } = plan(vmi({ domain: {} }), '-f', '-');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('generateName: virt-launcher-v-');
});

test('bad input: one line on the standard error, nothing else, and 1', () => {
  const { status, stdout, stderr } = plan(vmi({ domain: { cpu: { cores: 1.5 } } }), '-f', '-');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe('-:1: spec.domain.cpu.cores is not a whole number\n');
});

test('no file', () => {
  const { status, stdout, stderr } = plan('');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^plan: -f is not there; usage: .+\n$/);
});
