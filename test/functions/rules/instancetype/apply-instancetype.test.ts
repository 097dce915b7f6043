import { describe, expect, test } from 'vitest';
import { pathText } from '../../../../functions/core/written-form/misfit.ts';
import { applyInstancetype } from '../../../../functions/rules/instancetype/apply-instancetype.ts';
import { applyProfile, conflictText } from '../../../../functions/rules/instancetype/apply-profile.ts';
import type { InstanceSpec, InstancetypeSpec, Target } from '../../../../functions/rules/instancetype/profile.ts';

const small: InstancetypeSpec = { cpu: { guest: 2 }, memory: { guest: '1Gi' } };
const bare: InstanceSpec = { domain: { devices: {} } };

function apply(instancetype: Partial<InstancetypeSpec>, spec: Partial<InstanceSpec> = {}, annotations = {}) {
  const target: Target = { metadata: { annotations }, spec: { ...bare, ...spec } };
  return applyInstancetype(target, { instancetype: { ...small, ...instancetype } });
}

function applied(instancetype: Partial<InstancetypeSpec>, spec: Partial<InstanceSpec> = {}, annotations = {}): Target {
  const result = apply(instancetype, spec, annotations);
  if (result.type === 'conflict') throw new Error(conflictText(result.fields));
  return result.target;
}

function conflicts(instancetype: Partial<InstancetypeSpec>, spec: Partial<InstanceSpec>, annotations = {}) {
  const result = apply(instancetype, spec, annotations);
  return result.type === 'conflict' ? result.fields.map(pathText) : [];
}

const domain = (members: object): Partial<InstanceSpec> => ({ domain: { devices: {}, ...members } });

describe('what an instance type sets (vm.md 10.4)', () => {
  test('CPU topology and memory, always', () => {
    expect(applied({}).spec.domain).toMatchObject({
      cpu: { cores: 1, sockets: 2, threads: 1 },
      memory: { guest: '1Gi' },
    });
  });

  test('all of its members, each in its place', () => {
    const instancetype: InstancetypeSpec = {
      cpu: {
        guest: 4,
        model: 'Nehalem',
        dedicatedCPUPlacement: true,
        isolateEmulatorThread: true,
        numa: { guestMappingPassthrough: {} },
        realtime: { mask: '0-1' },
        maxSockets: 8,
      },
      memory: { guest: '2Gi', hugepages: { pageSize: '2Mi' }, maxGuest: '4Gi' },
      nodeSelector: { zone: 'a' },
      schedulerName: 'mine',
      ioThreads: { supplementalPoolThreadCount: 2 },
      ioThreadsPolicy: 'auto',
      launchSecurity: { sev: {} },
      gpus: [{ name: 'g', deviceName: 'x/g' }],
      hostDevices: [{ name: 'h', deviceName: 'x/h' }],
      annotations: { a: 'b' },
    };
    expect(applied(instancetype)).toEqual({
      metadata: { annotations: { a: 'b' } },
      spec: {
        nodeSelector: { zone: 'a' },
        schedulerName: 'mine',
        domain: {
          cpu: {
            model: 'Nehalem',
            dedicatedCpuPlacement: true,
            isolateEmulatorThread: true,
            numa: { guestMappingPassthrough: {} },
            realtime: { mask: '0-1' },
            maxSockets: 8,
            cores: 1,
            sockets: 4,
            threads: 1,
          },
          memory: { guest: '2Gi', hugepages: { pageSize: '2Mi' }, maxGuest: '4Gi' },
          ioThreads: { supplementalPoolThreadCount: 2 },
          ioThreadsPolicy: 'auto',
          launchSecurity: { sev: {} },
          devices: {
            gpus: [{ name: 'g', deviceName: 'x/g' }],
            hostDevices: [{ name: 'h', deviceName: 'x/h' }],
          },
        },
      },
    });
  });

  test('what the target has beside that stays', () => {
    const { spec, metadata } = applied(
      { annotations: { a: 'b', c: 'd' } },
      domain({ cpu: { features: [{ name: 'x' }] }, memory: { reservedOverhead: {} } }),
      { a: 'b', mine: '1' },
    );
    expect(spec.domain).toMatchObject({ cpu: { features: [{ name: 'x' }] }, memory: { reservedOverhead: {} } });
    expect(metadata?.annotations).toEqual({ a: 'b', c: 'd', mine: '1' });
  });

  test.each([
    ['1Gi', 50, '512Mi'],
    ['1Gi', 15, '912680576'],
    ['1G', 10, '900M'],
    ['1Gi', 0, undefined],
    ['1Gi', 100, '0'],
  ])('%s overcommitted by %i percent: the request is %s', (guest, overcommitPercent, request) => {
    const { resources } = applied({ memory: { guest, overcommitPercent } }).spec.domain;
    expect(resources?.requests?.['memory']).toBe(request);
  });

  test('a member that is zero in the target is not set', () => {
    const zero = { cpu: { cores: 0, sockets: 0, model: '', dedicatedCpuPlacement: false }, devices: { gpus: [] } };
    const instancetype = { cpu: { guest: 1, model: 'x', dedicatedCPUPlacement: true }, gpus: [{ name: 'g' }] };
    expect(conflicts(instancetype, { domain: zero, nodeSelector: {}, schedulerName: '' })).toEqual([]);
  });
});

describe('conflicts by path (vm.md 10.4)', () => {
  test.each<[string, Partial<InstancetypeSpec>, Partial<InstanceSpec>]>([
    ['spec.nodeSelector', { nodeSelector: { a: 'b' } }, { nodeSelector: { c: 'd' } }],
    ['spec.schedulerName', { schedulerName: 'x' }, { schedulerName: 'y' }],
    ['spec.domain.resources.requests.cpu', {}, domain({ resources: { requests: { cpu: '1' } } })],
    ['spec.domain.resources.limits.cpu', {}, domain({ resources: { limits: { cpu: '1' } } })],
    ['spec.domain.cpu.sockets', {}, domain({ cpu: { sockets: 1 } })],
    ['spec.domain.cpu.cores', {}, domain({ cpu: { cores: 1 } })],
    ['spec.domain.cpu.threads', {}, domain({ cpu: { threads: 1 } })],
    ['spec.domain.cpu.model', { cpu: { guest: 1, model: 'x' } }, domain({ cpu: { model: 'y' } })],
    [
      'spec.domain.cpu.dedicatedCpuPlacement',
      { cpu: { guest: 1, dedicatedCPUPlacement: false } },
      domain({ cpu: { dedicatedCpuPlacement: true } }),
    ],
    [
      'spec.domain.cpu.isolateEmulatorThread',
      { cpu: { guest: 1, isolateEmulatorThread: true } },
      domain({ cpu: { isolateEmulatorThread: true } }),
    ],
    ['spec.domain.cpu.numa', { cpu: { guest: 1, numa: {} } }, domain({ cpu: { numa: {} } })],
    ['spec.domain.cpu.realtime', { cpu: { guest: 1, realtime: {} } }, domain({ cpu: { realtime: {} } })],
    ['spec.domain.memory.guest', {}, domain({ memory: { guest: '1Gi' } })],
    [
      'spec.domain.memory.hugepages',
      { memory: { guest: '1Gi', hugepages: {} } },
      domain({ memory: { hugepages: { pageSize: '1Gi' } } }),
    ],
    [
      'spec.domain.memory.maxGuest',
      { memory: { guest: '1Gi', maxGuest: '2Gi' } },
      domain({ memory: { maxGuest: '2Gi' } }),
    ],
    ['spec.domain.resources.requests.memory', {}, domain({ resources: { requests: { memory: '1Gi' } } })],
    ['spec.domain.resources.limits.memory', {}, domain({ resources: { limits: { memory: '1Gi' } } })],
    [
      'spec.domain.ioThreads.supplementalPoolThreadCount',
      { ioThreads: { supplementalPoolThreadCount: 1 } },
      domain({ ioThreads: { supplementalPoolThreadCount: 0 } }),
    ],
    ['spec.domain.ioThreadsPolicy', { ioThreadsPolicy: 'auto' }, domain({ ioThreadsPolicy: 'shared' })],
    ['spec.domain.launchSecurity', { launchSecurity: {} }, domain({ launchSecurity: {} })],
    ['spec.domain.devices.gpus', { gpus: [{ name: 'a' }] }, { domain: { devices: { gpus: [{ name: 'b' }] } } }],
    [
      'spec.domain.devices.hostDevices',
      { hostDevices: [{ name: 'a' }] },
      { domain: { devices: { hostDevices: [{ name: 'b' }] } } },
    ],
  ])('%s', (path, instancetype, spec) => {
    expect(conflicts(instancetype, spec)).toEqual([path]);
  });

  test('an annotation with another value', () => {
    expect(conflicts({ annotations: { 'x/y': '1', z: '2' } }, {}, { 'x/y': '2', z: '2' })).toEqual([
      'metadata.annotations["x/y"]',
    ]);
  });

  test('what the instance type does not set is none of its business; maxSockets never is one', () => {
    const cpu = { model: 'y', numa: {}, realtime: {}, maxSockets: 2 };
    expect(conflicts({ cpu: { guest: 1, maxSockets: 4 } }, domain({ cpu, memory: { hugepages: {} } }))).toEqual([]);
  });

  test('all of them are told, of those about memory the first', () => {
    const memory = { guest: '1Gi', maxGuest: '2Gi' };
    const given = { ...domain({ cpu: { cores: 1, threads: 1 }, memory, resources: { limits: { memory: '1Gi' } } }) };
    expect(conflicts({ memory, schedulerName: 'x' }, { ...given, schedulerName: 'y' })).toEqual([
      'spec.schedulerName',
      'spec.domain.cpu.cores',
      'spec.domain.cpu.threads',
      'spec.domain.memory.guest',
    ]);
  });

  test('the text names them by where they stand', () => {
    const result = applyProfile({ spec: { domain: { devices: {}, cpu: { cores: 2 } } } }, { instancetype: small });
    expect(result.type === 'conflict' && conflictText(result.fields, ['spec', 'template'])).toBe(
      'the instance type sets what is set already: spec.template.spec.domain.cpu.cores',
    );
  });
});
