import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import type { TypeRef } from '../../../../functions/core/written-form/members.ts';
import { writtenAs, writtenForm } from '../../../../functions/core/written-form/written-form.ts';

// What is stored may be anything: these tests put in what the types would not allow.
function written(value: object, type: TypeRef): unknown {
  return writtenAs(value, type);
}

const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '1' };

describe('members (runtime.md 11.1)', () => {
  it('rule 1: plain zero values vanish', () => {
    expect(written({ cores: 0, model: '', dedicatedCpuPlacement: false, features: [] }, 'CPU')).toEqual({});
    expect(written({ name: 'a', macAddress: '', acpiIndex: 0 }, 'Interface')).toEqual({ name: 'a' });
    const spec = { hostname: '', nodeSelector: {}, tolerations: [], domain: { devices: {}, resources: {} } };
    expect(written(spec, 'VirtualMachineInstanceSpec')).toEqual({ domain: { devices: {}, resources: {} } });
    expect(written({ readonly: false, bus: 'sata' }, 'DiskTarget')).toEqual({ bus: 'sata' });
    expect(written({ name: 'a', hotpluggable: false }, 'DataVolumeSource')).toEqual({ name: 'a' });
    expect(written({ networkName: 'a', default: false }, 'MultusNetwork')).toEqual({ networkName: 'a' });
  });

  it('rule 2: nullable members keep an explicit zero value', () => {
    const spec = { terminationGracePeriodSeconds: 0, evictionStrategy: '', domain: { devices: {}, resources: {} } };
    expect(written(spec, 'VirtualMachineInstanceSpec')).toEqual(spec);
    expect(written({ autoattachGraphicsDevice: false }, 'Devices')).toEqual({ autoattachGraphicsDevice: false });
    expect(written({ name: 'a', shareable: false, bootOrder: 0 }, 'Disk')).toEqual({
      name: 'a',
      shareable: false,
      bootOrder: 0,
    });
    expect(written({ readonly: false }, 'CDRomTarget')).toEqual({ readonly: false });
    expect(written({ running: false }, 'VirtualMachineSpec')).toEqual({ running: false });
  });

  it('rule 3: present objects stay though empty; null is absent', () => {
    expect(written({ name: 'a', masquerade: {}, bridge: null }, 'Interface')).toEqual({ name: 'a', masquerade: {} });
    expect(written({ cpu: {}, memory: null }, 'DomainSpec')).toEqual({ cpu: {}, devices: {}, resources: {} });
    expect(written({ name: 'a', disk: {} }, 'Disk')).toEqual({ name: 'a', disk: {} });
  });

  it('rule 4: quantities are canonical', () => {
    expect(written({ guest: '1024Mi', maxGuest: '0Mi' }, 'Memory')).toEqual({ guest: '1Gi', maxGuest: '0' });
    expect(written({ requests: { cpu: '0.5', memory: '1.5Gi' } }, 'ResourceRequirements')).toEqual({
      requests: { cpu: '500m', memory: '1536Mi' },
    });
    expect(written({ limits: { memory: '1048576k', cpu: 2 } }, 'ResourceRequirements')).toEqual({
      limits: { memory: '1048576k', cpu: '2' },
    });
  });

  it('rule 5: members that the type does not know vanish', () => {
    expect(written({ name: 'a', noSuchMember: 1, masquerade: { noSuchMember: 1 } }, 'Interface')).toEqual({
      name: 'a',
      masquerade: {},
    });
  });

  it('rule 6: times are in UTC, with whole seconds', () => {
    const state = { startTimestamp: '2020-01-01T02:00:00.9+02:00', endTimestamp: null };
    expect(written(state, 'VirtualMachineInstanceMigrationState')).toEqual({ startTimestamp: '2020-01-01T00:00:00Z' });
  });

  it('rule 7: what is held by value is there though absent', () => {
    expect(written({ features: {} }, 'DomainSpec')).toEqual({ devices: {}, features: { acpi: {} }, resources: {} });
    expect(written({}, 'VirtualMachineInstanceTemplateSpec')).toEqual({
      metadata: {},
      spec: { domain: { devices: {}, resources: {} } },
    });
    expect(written({ spec: { storage: {}, pvc: {} } }, 'DataVolumeTemplateSpec')).toEqual({
      metadata: {},
      spec: { storage: { resources: {} }, pvc: { resources: {} } },
    });
    expect(written({ sshPublicKey: {}, userPassword: {} }, 'AccessCredential')).toEqual({
      sshPublicKey: { source: {}, propagationMethod: {} },
      userPassword: { source: {}, propagationMethod: {} },
    });
    expect(written({ name: 'a', emptyDisk: {} }, 'Volume')).toEqual({ name: 'a', emptyDisk: { capacity: '0' } });
  });

  it('template metadata keep what object metadata have, creationTimestamp: null aside', () => {
    const template = { metadata: { creationTimestamp: null, labels: { a: '' }, annotations: {}, name: '' }, spec: {} };
    expect(written(template, 'VirtualMachineInstanceTemplateSpec')).toMatchObject({ metadata: { labels: { a: '' } } });
    expect(written(template.metadata, 'ObjectMeta')).toEqual({ labels: { a: '' } });
  });

  it('empty texts in lists and maps stay', () => {
    expect(written({ activePods: { u: '' }, guestOSInfo: {}, runtimeUser: 0 }, 'VirtualMachineInstanceStatus')).toEqual(
      {
        activePods: { u: '' },
        guestOSInfo: {},
        runtimeUser: 0,
      },
    );
    expect(written({ command: [''] }, 'ExecAction')).toEqual({ command: [''] });
  });

  it('conditions have null for times that are not set', () => {
    expect(written([{ type: 'Ready', status: 'True', reason: '' }], '[]VirtualMachineCondition')).toEqual([
      { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null },
    ]);
  });

  it('a value of another shape is left for the API server to refuse', () => {
    expect(written({ name: 1, disk: 'virtio', shareable: 'yes' }, 'Disk')).toEqual({
      name: 1,
      disk: 'virtio',
      shareable: 'yes',
    });
  });
});

describe('objects', () => {
  it('vmi case 121: a VMI without a status gets runtimeUser 0', () => {
    const vmi = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata, spec: {} };
    expect(writtenForm(vmi)).toEqual({
      ...vmi,
      spec: { domain: { devices: {}, resources: {} } },
      status: { guestOSInfo: {}, runtimeUser: 0 },
    });
  });

  it('vmi case 122: volume status entries have a target, and nothing that is empty', () => {
    const entry = { name: 'boot', target: '', reason: '', message: '', phase: '', size: 0 };
    const status = {
      volumeStatus: [entry, { name: 'b' }],
      launcherContainerImageVersion: '',
      nodeName: '',
      runtimeUser: 107,
    };
    expect(written(status, 'VirtualMachineInstanceStatus')).toEqual({
      guestOSInfo: {},
      runtimeUser: 107,
      volumeStatus: [
        { name: 'boot', target: '' },
        { name: 'b', target: '' },
      ],
    });
  });

  it('vmi case 131: quantities and probe numbers', () => {
    const spec = {
      domain: { resources: { requests: { memory: '1000M' } }, devices: {} },
      readinessProbe: { exec: { command: ['cat', '/x'] }, timeoutSeconds: 5, periodSeconds: 0, initialDelaySeconds: 0 },
      volumes: [{ name: 'h', hostDisk: { path: '/d', type: 'DiskOrCreate' } }],
    };
    expect(written(spec, 'VirtualMachineInstanceSpec')).toEqual({
      domain: { resources: { requests: { memory: '1G' } }, devices: {} },
      readinessProbe: { exec: { command: ['cat', '/x'] }, timeoutSeconds: 5 },
      volumes: [{ name: 'h', hostDisk: { path: '/d', type: 'DiskOrCreate', capacity: '0' } }],
    });
  });

  const vm = (domain: object, status: object) => ({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata,
    spec: { runStrategy: 'Always', template: { metadata: {}, spec: { domain } } },
    status,
  });

  it('vm case 119: a VM stored in serialised form stays as it is', () => {
    const stored = vm({ devices: {}, resources: { requests: { memory: '128Mi' } } }, {});
    expect(writtenForm(stored)).toStrictEqual(stored);
  });

  it('vm case 122: a VM stored without resources, or with anything else that is not in the form, changes', () => {
    expect(writtenForm(vm({ devices: {} }, {}))).toEqual(vm({ devices: {}, resources: {} }, {}));
    const { template: _, ...withoutTemplate } = vm({}, {}).spec;
    expect(writtenForm({ ...vm({}, {}), spec: withoutTemplate })).toEqual({ ...vm({}, {}), spec: withoutTemplate });
  });

  it('a VM status has no zero values but volumeSnapshotStatuses[].enabled', () => {
    const status = {
      created: false,
      ready: false,
      observedGeneration: 0,
      runStrategy: '',
      volumeRequests: [],
      volumeSnapshotStatuses: [{ name: 'a', enabled: false, reason: '' }],
    };
    expect(written(status, 'VirtualMachineStatus')).toEqual({
      volumeSnapshotStatuses: [{ name: 'a', enabled: false }],
    });
    expect(written(vm({ devices: {}, resources: {} }, {}), 'VirtualMachine')).toHaveProperty('status', {});
  });

  it("a VM's revision has the spec in its form, another one's data are left alone", () => {
    const revision = (name: string, data: unknown): KubeObject & { data: unknown; revision: number } => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name, labels: {} },
      revision: 1,
      data,
    });
    const spec = { running: true, template: { spec: { domain: { memory: { guest: '1024Mi' } } } } };
    expect(writtenForm(revision('revision-start-vm-u-1', { spec }))).toEqual({
      ...revision('revision-start-vm-u-1', {
        spec: {
          running: true,
          template: { metadata: {}, spec: { domain: { devices: {}, memory: { guest: '1Gi' }, resources: {} } } },
        },
      }),
      metadata: { name: 'revision-start-vm-u-1' },
    });
    expect(writtenForm(revision('other', { spec })).data).toEqual({ spec });
  });

  it('a pod loses empty texts, lists and maps; its objects, numbers and booleans stay', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', labels: {}, annotations: { a: '' } },
      spec: {
        hostname: '',
        tolerations: [],
        nodeSelector: {},
        securityContext: { runAsUser: 0, runAsNonRoot: false },
        containers: [{ name: 'compute', args: [''], resources: { requests: { memory: '1024Mi' }, limits: {} } }],
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', emptyDir: { sizeLimit: '0.5Gi', medium: '' } },
        ],
      },
    };
    expect(writtenForm(pod)).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', annotations: { a: '' } },
      spec: {
        securityContext: { runAsUser: 0, runAsNonRoot: false },
        containers: [{ name: 'compute', args: [''], resources: { requests: { memory: '1Gi' } } }],
        volumes: [
          { name: 'v', emptyDir: {} },
          { name: 'w', emptyDir: { sizeLimit: '512Mi' } },
        ],
      },
    });
  });
});
