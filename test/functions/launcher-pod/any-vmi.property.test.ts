import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { findBackendStorageClaim } from '../../../functions/rules/backend-storage/find-claim.ts';
import { anyVmi, NAMES } from './any-vmi.ts';
import { claim, gates, result, type Surroundings, withoutGates } from './fixture.ts';

const binding = { a: { sidecarImage: 'i', downwardAPI: 'device-info', networkAttachmentDefinition: 'n' } };
const surroundings: fc.Arbitrary<Surroundings> = fc.constantFrom<Surroundings>(
  {},
  withoutGates('ImageVolume', 'ExternalNetResourceInjection'),
  gates('CrossArchitectureVirtualization', 'HypervStrictCheck', 'IOMMUFD', 'NetworkDevicesWithDRA'),
  { configuration: { network: { binding }, permittedHostDevices: {}, additionalGuestMemoryOverheadRatio: '1.5' } },
  { variant: 'without-vm', configuration: { network: { binding } } },
);

function outcomeOf(instance: VirtualMachineInstance, around: Surroundings) {
  const claims = [...NAMES.map((name) => claim(name)), claim('persistent-state-for-v')];
  const state = findBackendStorageClaim(instance, claims);
  const related = { claims, ...(state === undefined ? {} : { backendStorageClaim: state }) };
  return result(instance, { ...around, related });
}

function rendersOrSaysWhy(instance: VirtualMachineInstance, around: Surroundings) {
  const before = structuredClone(instance);
  const outcome = outcomeOf(instance, around);
  expect(instance).toEqual(before);
  if (outcome.type === 'error') {
    expect(outcome.message).not.toBe('');
    return;
  }
  const { spec } = outcome.pod;
  expect(spec.containers[0]?.name).toBe('compute');
  expect(JSON.stringify(outcome.pod)).not.toMatch(/undefined|NaN|\[object /);
  expect(outcome.reasons.length).toBeGreaterThan(10);
}

test('any VMI that fits the schema renders or says why not', () => {
  fc.assert(fc.property(anyVmi({ misfit: 0, presence: 30 }), surroundings, rendersOrSaysWhy), { numRuns: 400 });
});

test('any VMI at all renders or says why not', () => {
  fc.assert(fc.property(anyVmi({ misfit: 4, presence: 30 }), surroundings, rendersOrSaysWhy), { numRuns: 400 });
});
