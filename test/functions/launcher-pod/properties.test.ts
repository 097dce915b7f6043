import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { qemuTimeoutSeconds } from '../../../functions/launcher-pod/qemu-timeout.ts';
import { claim, gates, render, result, UID, vmi, withoutGates } from './fixture.ts';

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const flag = optional(fc.boolean());

/** VMIs that touch every part of rendering; whether they render or fail does not matter. */
const instances = fc
  .record({
    cores: fc.nat(8),
    dedicated: fc.boolean(),
    guest: optional(fc.constantFrom('64Mi', '1Gi', '3.5G')),
    hugepages: optional(fc.constant({ pageSize: '2Mi' })),
    memory: optional(fc.constantFrom('1G', '0', '128Mi')),
    verbosity: optional(fc.constantFrom('7', 'abc')),
    probe: optional(fc.constantFrom({ exec: { command: ['x', 'y'] } }, { guestAgentPing: {} }, {})),
    affinity: optional(fc.constant({ nodeAffinity: {} })),
    claimName: fc.constantFrom('there', 'gone'),
    graphics: flag,
    sidecars: optional(fc.constantFrom('[{"image":"i"}]', '[{"configMap":{"name":"gone"}}]', 'no')),
  })
  .map((p) =>
    vmi({
      labels: p.verbosity === undefined ? {} : { logVerbosity: p.verbosity },
      annotations: p.sidecars === undefined ? {} : { 'hooks.kubevirt.io/hookSidecars': p.sidecars },
      spec: {
        readinessProbe: p.probe,
        affinity: p.affinity,
        volumes: [
          { name: 'boot', containerDisk: { image: 'i' } },
          { name: 'd', persistentVolumeClaim: { claimName: p.claimName } },
        ],
      },
      domain: {
        cpu: { cores: p.cores, dedicatedCpuPlacement: p.dedicated },
        memory: { guest: p.guest, hugepages: p.hugepages },
        resources: { requests: p.memory === undefined ? {} : { memory: p.memory } },
        devices: {
          autoattachGraphicsDevice: p.graphics,
          disks: [{ name: 'd', lun: { reservation: true } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
    }),
  );
const surroundings = fc.constantFrom({}, withoutGates('ImageVolume'), gates('CrossArchitectureVirtualization'));
const related = { claims: [claim('there')] };

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

describe('rendering is a function', () => {
  test('the same input gives the same output, and is not changed', () => {
    fc.assert(
      fc.property(instances, surroundings, (instance, around) => {
        const before = structuredClone(instance);
        deepFreeze(instance);
        const first = result(instance, { ...around, related });
        expect(result(instance, { ...around, related })).toEqual(first);
        expect(instance).toEqual(before);
      }),
    );
  });

  test('pod case 127: a second rendering differs in the timeout of exec probes that the first wrapped', () => {
    const readinessProbe = { exec: { command: ['cat'] }, timeoutSeconds: 3 };
    const first = result(vmi({ spec: { readinessProbe } }));
    const again = structuredClone(render(first.vmi));
    expect(again.spec.containers[0]?.readinessProbe?.timeoutSeconds).toBe(3);
    for (const container of again.spec.containers)
      if (container.readinessProbe) container.readinessProbe.timeoutSeconds = 4;
    expect(first).toMatchObject({ type: 'rendered', pod: again });
  });

  test('the draw stays within its range, and depends on VMI and ordinal', () => {
    const draws = Array.from({ length: 400 }, (_, ordinal) => qemuTimeoutSeconds(240, UID, ordinal));
    expect(Math.min(...draws)).toBeGreaterThanOrEqual(240);
    expect(Math.max(...draws)).toBeLessThanOrEqual(359);
    expect(new Set(draws).size).toBeGreaterThan(100);
    expect(qemuTimeoutSeconds(240, 'another', 0)).not.toBe(draws[0]);
  });
});
