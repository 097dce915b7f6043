import { describe, expect, test } from 'vitest';
import { defaultConfiguration, defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import type { KubeVirtConfiguration } from '../../../../functions/core/newer-fields.ts';
import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { withTemplateDefaults } from '../../../../functions/rules/instance-defaults/template-defaults.ts';

type Spec = VirtualMachineInstance['spec'];

function filled(spec: Partial<Spec> = {}, kubevirt: KubeVirtConfiguration = {}, defaultArchitecture = ''): Spec {
  const defaults = defaultConfiguration('kubevirt', defaultProcessParameters);
  const configuration = { ...defaults, defaultArchitecture, kubevirt: { ...defaults.kubevirt, ...kubevirt } };
  return withTemplateDefaults({ domain: { devices: {} }, ...spec }, configuration);
}

const resources = (of: object): Partial<Spec> => ({ domain: { devices: {}, resources: of } });

describe('what admission fills into a template (vm.md 10.7)', () => {
  test('a bare one', () => {
    expect(filled()).toEqual({
      architecture: 'amd64',
      evictionStrategy: 'None',
      domain: { devices: {}, machine: { type: 'q35' }, cpu: { cores: 1, sockets: 1, threads: 1 } },
    });
  });

  test('one that has it all stays', () => {
    const spec: Spec = {
      architecture: 'arm64',
      evictionStrategy: 'LiveMigrate',
      volumes: [{ name: 'a', containerDisk: { image: 'x', imagePullPolicy: 'Never' } }],
      domain: {
        devices: {},
        machine: { type: 'virt-9' },
        cpu: { cores: 2 },
        memory: { guest: '1Gi' },
        resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { cpu: '4' } },
      },
    };
    expect(filled(spec)).toEqual(spec);
  });

  test.each([
    ['amd64', {}, 'q35'],
    ['arm64', {}, 'virt'],
    ['s390x', {}, 's390-ccw-virtio'],
    ['riscv', {}, undefined],
    ['arm64', { machineType: 'mine' }, 'mine'],
  ])('machine type of %s with %j: %s', (architecture, kubevirt, type) => {
    expect(filled({}, kubevirt, architecture)).toMatchObject({ architecture });
    expect(filled({}, kubevirt, architecture).domain.machine?.type).toBe(type);
  });

  test.each<[string, Partial<Spec>, KubeVirtConfiguration, string | undefined]>([
    ['the limit', resources({ limits: { cpu: '2' } }), {}, '2'],
    ['what is asked for', resources({ limits: { cpu: '2' }, requests: { cpu: '1' } }), {}, '1'],
    ["the cluster's", {}, { cpuRequest: '250m' }, '250m'],
    ["not the cluster's default", {}, { cpuRequest: '0.1' }, undefined],
    [
      "not the cluster's for dedicated CPUs",
      { domain: { devices: {}, cpu: { dedicatedCpuPlacement: true } } },
      { cpuRequest: '250m' },
      undefined,
    ],
  ])('CPU request: %s', (_, spec, kubevirt, cpu) => {
    expect(filled(spec, kubevirt).domain.resources?.requests?.['cpu']).toBe(cpu);
  });

  test.each<[string, Partial<Spec>, string | undefined]>([
    ['the request', resources({ requests: { memory: '1Gi' }, limits: { memory: '2Gi' } }), '1Gi'],
    ['the limit', resources({ limits: { memory: '2Gi' } }), '2Gi'],
    ['a huge page', { domain: { devices: {}, memory: { hugepages: { pageSize: '1Gi' } } } }, '1Gi'],
    ['nothing', {}, undefined],
  ])("guest's memory: %s", (_, spec, guest) => {
    expect(filled(spec).domain.memory?.guest).toBe(guest);
  });

  test.each([
    [{ limits: { cpu: '2500m' }, requests: { cpu: '1' } }, 3],
    [{ requests: { cpu: '1500m' } }, 2],
    [{ requests: { cpu: '0' } }, 1],
    [{}, 1],
  ])('sockets by %j: %i', (of, sockets) => {
    expect(filled(resources(of)).domain.cpu).toEqual({ cores: 1, sockets, threads: 1 });
  });

  test.each([
    ['registry.example:5000/disk', 'Always'],
    ['registry.example/disk:latest', 'Always'],
    ['registry.example/disk:1', 'IfNotPresent'],
    ['disk@sha256:00', 'IfNotPresent'],
  ])('pull policy of %s: %s', (image, policy) => {
    const [volume] = filled({ volumes: [{ name: 'a', containerDisk: { image } }] }).volumes ?? [];
    expect(volume?.containerDisk?.imagePullPolicy).toBe(policy);
  });
});
