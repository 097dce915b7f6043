import { expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { problem, render, result, vmi } from './fixture.ts';

test('a VMI without a domain renders like one with an empty domain', () => {
  const bare = vmi();
  const { domain: _, ...spec } = bare.spec;
  const without = { ...bare, spec: spec as VirtualMachineInstance['spec'] };
  expect(render(without)).toEqual(render(bare));
});

test('what the schema does not let pass is named, and the VMI is handed back as it came', () => {
  const instance = vmi({ domain: { devices: { tpm: null } } });
  const outcome = result(instance);
  expect(outcome).toMatchObject({
    type: 'error',
    problem: { type: 'malformed', path: ['spec', 'domain', 'devices', 'tpm'] },
    message: 'spec.domain.devices.tpm is not an object',
  });
  expect(outcome.vmi).toBe(instance);
  expect(problem(vmi({ domain: { cpu: { cores: 0.5 } } }))?.type).toBe('malformed');
  expect(problem(vmi({ metadata: { name: '' } }))).toMatchObject({ path: ['metadata', 'name'] });
});
