import { describe, expect, test } from 'vitest';
import { defaultConfiguration, defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import type { Node, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { lowestFrequency } from '../../../../functions/rules/tsc/lowest-frequency.ts';
import { unschedulableNodes } from '../../../../functions/rules/tsc/node-occupants.ts';
import { tscOf, tscProjection } from '../../../../functions/rules/tsc/node-tsc.ts';
import { requiresTscFrequency, tscRequirement } from '../../../../functions/rules/tsc/tsc-requirement.ts';
import { instance, tscNode } from './objects.ts';

const base = defaultConfiguration('kubevirt', defaultProcessParameters);

function lowest(nodes: readonly Node[], occupants: readonly VirtualMachineInstance[] = [], minimum?: number) {
  const minimumClusterTSCFrequency = minimum === undefined ? {} : { minimumClusterTSCFrequency: minimum };
  const developerConfiguration = { ...base.kubevirt.developerConfiguration, ...minimumClusterTSCFrequency };
  const found = lowestFrequency(nodes, occupants, { ...base, kubevirt: { ...base.kubevirt, developerConfiguration } });
  return found.type === 'known' ? found.hz : found.type;
}

describe('the lowest frequency of the cluster (node.md B4)', () => {
  const three = [
    tscNode('a', { tsc: 1234 }),
    tscNode('b', { tsc: 123 }),
    tscNode('c', { tsc: 12345, scalable: false }),
    tscNode('d', { tsc: 'abc' }),
  ];

  test('node case 41, vmi case 117: of all that can be read', () => {
    expect(lowest(three)).toBe(123);
    expect(lowest([])).toBe(0);
  });

  test('node case 42, vmi case 117: what the cluster is configured to wins', () => {
    expect(lowest(three, [], 200)).toBe(200);
    expect(lowest([], [], 200)).toBe(200);
    expect([lowest(three, [], 0), lowest(three, [], -1)]).toEqual(['unusable', 'unusable']);
  });

  test('node case 43: a node out of scheduling counts while a VMI is there, in whatever phase', () => {
    const nodes = [...three, tscNode('out', { tsc: 50, schedulable: false })];
    expect(unschedulableNodes(nodes)).toEqual(['out']);
    expect(lowest(nodes)).toBe(123);
    for (const phase of ['Running', 'Failed', ''])
      expect(lowest(nodes, [instance('v', { phase, nodeName: 'out' })])).toBe(50);
    expect(lowest(nodes, [instance('v', { nodeName: 'elsewhere' })])).toBe(123);
  });
});

test.each(['', '0', '-5', '1.5', 'abc', '9'.repeat(20)])('a frequency of %j is none', (tsc) => {
  expect(tscOf(tscNode('n', { tsc }))).toBeUndefined();
});

test('a node is seen by the labels that matter alone', () => {
  const { metadata } = tscNode('n', { tsc: 5, offers: [7, 'sowrong'] });
  const seen = tscProjection({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...metadata, labels: { ...metadata.labels, zone: 'z' }, annotations: { a: 'b' } },
    status: { conditions: [] },
  });
  expect(seen.metadata.labels).toEqual(metadata.labels);
  expect(Object.keys(seen)).toEqual(['apiVersion', 'kind', 'metadata']);
  expect(seen.metadata).not.toHaveProperty('annotations');
});

describe('what a VMI requires (node.md B3)', () => {
  const invtsc = (policy?: string) => ({ cpu: { features: [{ name: 'invtsc', policy }] } });
  const hyperv = (enabled?: boolean) => ({ features: { hyperv: { reenlightenment: { enabled } } } });
  const requirement = (domain: object) => tscRequirement(instance('v', {}, { domain }));

  test('node case 45: an invariant counter', () => {
    expect(['require', 'force', 'optional', '', undefined].map((policy) => requirement(invtsc(policy)))).toEqual([
      'boot',
      'boot',
      'none',
      'none',
      'none',
    ]);
  });

  test('node case 46: re-enlightenment, with and without an invariant counter', () => {
    expect([true, false, undefined].map((enabled) => requirement(hyperv(enabled)))).toEqual([
      'migration',
      'none',
      'none',
    ]);
    expect(requirement({ ...hyperv(true), ...invtsc('require') })).toBe('boot');
  });

  test('node case 47: on amd64 alone', () => {
    const on = (architecture?: string) =>
      requiresTscFrequency(instance('v', {}, { architecture, domain: invtsc('force') }));
    expect(['amd64', 'arm64', '', undefined].map(on)).toEqual([true, false, false, false]);
  });
});
