import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { anyVmi } from '../launcher-pod/any-vmi.ts';
import { tscNode } from '../rules/tsc/objects.ts';
import { claim, configuration, runningPod, vmi } from './fixtures.ts';
import { World } from './world.ts';

const PHASES = [
  '',
  'Pending',
  'Scheduling',
  'Scheduled',
  'Running',
  'Succeeded',
  'Failed',
  'WaitingForSync',
  'Unknown',
];

/** The VMI of the tests with the spec and status of another one, in any phase. */
function placed(any: VirtualMachineInstance, phase: string): VirtualMachineInstance {
  const base = vmi(phase);
  const { annotations, labels } = any.metadata;
  return {
    ...base,
    metadata: {
      ...base.metadata,
      ...(labels === undefined ? {} : { labels }),
      annotations: { ...annotations, ...base.metadata.annotations },
    },
    spec: { ...any.spec, domain: any.spec.domain ?? base.spec.domain },
    status: { ...any.status, ...base.status, phase },
  };
}

const gatesOff = {
  ...configuration,
  kubevirt: {
    ...configuration.kubevirt,
    developerConfiguration: {
      ...configuration.kubevirt.developerConfiguration,
      disabledFeatureGates: ['ExternalNetResourceInjection', 'ImageVolume'],
    },
  },
};

test('any VMI that fits the schema gets passes that end in an outcome, in every phase, with a pod and without', () => {
  const scene = fc.record({
    any: anyVmi({ misfit: 0, presence: 30 }),
    phase: fc.constantFrom(...PHASES),
    hasPod: fc.boolean(),
    gates: fc.constantFrom(configuration, gatesOff),
  });
  fc.assert(
    fc.property(scene, ({ any, phase, hasPod, gates }) => {
      const world = new World(
        placed(any, phase),
        claim('a'),
        tscNode('n', { tsc: 100 }),
        ...(hasPod ? [runningPod()] : []),
      );
      world.configuration = gates;
      for (let i = 0; i < 3; i++) expect(world.pass().type).toMatch(/^(done|retry|stale|requeue-after)$/);
    }),
    { numRuns: 200 },
  );
});
