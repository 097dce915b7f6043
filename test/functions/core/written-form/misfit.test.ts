import { expect, test } from 'vitest';
import { misfitIn, pathText } from '../../../../functions/core/written-form/misfit.ts';

const misfit = (spec: object) => {
  const found = misfitIn(spec, 'VirtualMachineInstanceSpec', ['spec']);
  return found === undefined ? undefined : `${pathText(found.path)}: ${found.expected}`;
};

test('what fits, and what the table leaves to others', () => {
  const probe = { httpGet: { port: 'http' } };
  const domain = {
    cpu: { cores: -1 },
    memory: { guest: 1024 },
    devices: { interfaces: [{ name: 'a', masquerade: {} }] },
  };
  expect(misfit({ domain, readinessProbe: probe, nodeSelector: { a: 'b' }, unheardOf: 1 })).toBeUndefined();
  expect(misfit({})).toBeUndefined();
});

test.each([
  [{ domain: null }, 'spec.domain: an object'],
  [{ domain: [] }, 'spec.domain: an object'],
  [{ domain: { cpu: { cores: 1.5 } } }, 'spec.domain.cpu.cores: a whole number'],
  [{ domain: { cpu: { cores: Number.NaN } } }, 'spec.domain.cpu.cores: a whole number'],
  [{ domain: { memory: { guest: 'lots' } } }, 'spec.domain.memory.guest: a quantity'],
  [{ domain: { resources: { requests: { 'a.b/c': true } } } }, 'spec.domain.resources.requests["a.b/c"]: a quantity'],
  [{ hostname: 1 }, 'spec.hostname: a text'],
  [{ volumes: {} }, 'spec.volumes: a list'],
  [{ volumes: [{ name: 'a' }, {}] }, 'spec.volumes[1].name: there'],
  [{ volumes: [null] }, 'spec.volumes[0]: an object'],
  [{ nodeSelector: ['a'] }, 'spec.nodeSelector: a map'],
  [{ domain: { cpu: { dedicatedCpuPlacement: 'true' } } }, 'spec.domain.cpu.dedicatedCpuPlacement: true or false'],
])('%j', (spec, text) => {
  expect(misfit(spec)).toBe(text);
});

test('times that are not set are null', () => {
  const condition = { type: 'Ready', status: 'True', lastProbeTime: null };
  expect(misfitIn({ runtimeUser: 0, conditions: [condition] }, 'VirtualMachineInstanceStatus')).toBeUndefined();
});
