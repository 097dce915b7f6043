import { describe, expect, test } from 'vitest';
import type * as objects from '../../../../functions/core/objects.ts';
import { allVolumes } from '../../../../functions/rules/volume-snapshot-status/all-volumes.ts';
import { chooseSnapshotClass } from '../../../../functions/rules/volume-snapshot-status/snapshot-class.ts';
import {
  type SnapshotStatusView,
  volumeSnapshotStatuses,
} from '../../../../functions/rules/volume-snapshot-status/volume-snapshot-statuses.ts';

type Volume = NonNullable<NonNullable<objects.VirtualMachine['spec']['template']['spec']>['volumes']>[number];
type Machine = objects.VirtualMachine;

const metadata = (name: string) => ({ name, namespace: 'ns' });
const machine = (volumes: Volume[], rest: Partial<Machine['spec']> = {}, name = 'v'): Machine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: metadata(name),
  spec: { template: { spec: { domain: { devices: {} }, volumes } }, ...rest },
});
const claim = (name: string, storageClassName?: string): objects.PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: metadata(name),
  spec: { ...(storageClassName !== undefined && { storageClassName }) },
});
const owner = (name: string) => [{ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name, uid: `uid-${name}` }];
const dataVolume = (name: string, storageClassName?: string, owners = owner('v')): objects.DataVolume => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { ...metadata(name), ownerReferences: owners },
  spec: { pvc: { ...(storageClassName !== undefined && { storageClassName }) } },
});
const template = (name: string, storageClassName: string) => ({
  metadata: { name } as object,
  spec: { pvc: { storageClassName } },
});
const storageClass = (name: string, provisioner = 'csi'): objects.StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner,
});
const snapshotClass = (name: string, annotations?: Record<string, string>): objects.VolumeSnapshotClass => ({
  apiVersion: 'snapshot.storage.k8s.io/v1',
  kind: 'VolumeSnapshotClass',
  metadata: { name, ...(annotations && { annotations }) },
  driver: 'csi',
});
const profile = (name: string, chosen: string): objects.StorageProfile => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'StorageProfile',
  metadata: { name },
  status: { snapshotClass: chosen },
});

const view = (parts: Partial<SnapshotStatusView> = {}): SnapshotStatusView => ({
  claims: [],
  dataVolumes: [],
  dataVolumeOwners: [],
  backendClaims: [],
  storageClasses: [storageClass('fast')],
  storageProfiles: [],
  snapshotClasses: [snapshotClass('snap')],
  ...parts,
});

const onDataVolume: Volume = { name: 'disk', dataVolume: { name: 'dv' } };
const onClaim: Volume = { name: 'disk', persistentVolumeClaim: { claimName: 'c' } };
const yes = { type: 'statuses', statuses: [{ name: 'disk', enabled: true }] };
const no = (reason: string) => ({
  type: 'statuses',
  statuses: [{ name: 'disk', enabled: false, reason: expect.stringContaining(reason) }],
});

describe('snapshot statuses of volumes (snapshot-restore.md 12)', () => {
  test('snapshot case 76: a data volume with a class of its own', () => {
    const vm = machine([onDataVolume]);
    expect(volumeSnapshotStatuses(vm, view({ dataVolumes: [dataVolume('dv', 'fast')] }))).toEqual(yes);
  });

  test.each(['', undefined])(
    'snapshot case 77: one with class %j takes that of the template it was made from',
    (own) => {
      const vm = machine([onDataVolume], { dataVolumeTemplates: [template('dv', 'fast')] });
      expect(volumeSnapshotStatuses(vm, view({ dataVolumes: [dataVolume('dv', own)] }))).toEqual(yes);
    },
  );

  test('snapshot case 77: also where another VM owns it', () => {
    const other = machine([], { dataVolumeTemplates: [template('dv', 'fast')] }, 'w');
    const dataVolumes = [dataVolume('dv', '', owner('w'))];
    expect(volumeSnapshotStatuses(machine([onDataVolume]), view({ dataVolumes, dataVolumeOwners: [other] }))).toEqual(
      yes,
    );
  });

  test('else that of its claim, which may not be there yet', () => {
    const vm = machine([onDataVolume]);
    const dataVolumes = [dataVolume('dv')];
    expect(volumeSnapshotStatuses(vm, view({ dataVolumes }))).toEqual(no('PVC dv not found'));
    expect(volumeSnapshotStatuses(vm, view({ dataVolumes, claims: [claim('dv', 'fast')] }))).toEqual(yes);
    expect(volumeSnapshotStatuses(vm, view({ claims: [claim('dv', 'fast')] }))).toEqual(yes);
  });

  test('snapshot case 78: a claim that is not there, one without class, a volume without claim', () => {
    expect(volumeSnapshotStatuses(machine([onClaim]), view())).toEqual(no('PVC c not found'));
    expect(volumeSnapshotStatuses(machine([onClaim]), view({ claims: [claim('c')] }))).toEqual(
      no('No VolumeSnapshotClass'),
    );
    const cloudInit: Volume = { name: 'disk', cloudInitNoCloud: { userData: 'x' } };
    expect(volumeSnapshotStatuses(machine([cloudInit]), view())).toEqual(no('disk'));
  });

  test('memory dumps go by their claim', () => {
    const dump: Volume = { name: 'disk', memoryDump: { claimName: 'c' } };
    expect(volumeSnapshotStatuses(machine([dump]), view({ claims: [claim('c', 'fast')] }))).toEqual(yes);
  });

  test('several classes of which none is the default: their number is told', () => {
    const snapshotClasses = [snapshotClass('a'), snapshotClass('b')];
    expect(volumeSnapshotStatuses(machine([onClaim]), view({ claims: [claim('c', 'fast')], snapshotClasses }))).toEqual(
      no('2'),
    );
  });
});

describe('VolumeSnapshotClass choice (snapshot-restore.md 10)', () => {
  const mark = { 'snapshot.storage.kubernetes.io/is-default-class': 'false' };
  const two = [snapshotClass('a'), snapshotClass('b', mark)];
  const chosen = (name: string) => ({
    type: 'class',
    snapshotClass: expect.objectContaining({ metadata: expect.objectContaining({ name }) }),
  });

  test.each([
    ['no such storage class', view({ storageClasses: [] }), { type: 'none' }],
    ['the profile names one', view({ storageProfiles: [profile('fast', 'a')], snapshotClasses: two }), chosen('a')],
    ['the profile names one that is not there', view({ storageProfiles: [profile('fast', 'z')] }), { type: 'none' }],
    ['the profile names none', view({ storageProfiles: [profile('fast', '')] }), chosen('snap')],
    ['none for the driver', view({ storageClasses: [storageClass('fast', 'other')] }), { type: 'none' }],
    ['several: the one that is marked, whatever the mark says', view({ snapshotClasses: two }), chosen('b')],
    [
      'several without mark',
      view({ snapshotClasses: [snapshotClass('a'), snapshotClass('b')] }),
      { type: 'error', message: expect.stringContaining('2') },
    ],
  ])('%s', (_name, at, expected) => {
    expect(chooseSnapshotClass('fast', at)).toEqual(expected);
  });
});

describe('all volumes of a VM (snapshot-restore.md 5)', () => {
  const withTpm = (vm: Machine, tpm: object): Machine => {
    const devices = { tpm } as never;
    return { ...vm, spec: { ...vm.spec, template: { spec: { domain: { devices }, volumes: [onClaim] } } } };
  };
  const persistent = withTpm(machine([]), { persistent: true });
  const state = (name: string, at: string, deletionTimestamp?: string): objects.PersistentVolumeClaim => ({
    ...claim(name, 'fast'),
    metadata: {
      ...metadata(name),
      creationTimestamp: at,
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    },
  });
  const [old, young] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
  const names = (claims: objects.PersistentVolumeClaim[], vm = persistent) => {
    const all = allVolumes(vm, claims);
    return all.type === 'error' ? all.type : all.volumes.map((v) => v.persistentVolumeClaim?.claimName);
  };

  test('the claim with its state comes last, the newest of several that is not going', () => {
    expect(names([state('one', old)])).toEqual(['c', 'one']);
    expect(names([state('one', old), state('two', young)])).toEqual(['c', 'two']);
    expect(names([state('one', old), state('two', young, young)])).toEqual(['c', 'one']);
  });

  test('none yet: the other volumes; none that stays: an error', () => {
    expect(names([])).toEqual(['c']);
    expect(names([state('one', old, young), state('two', young, young)])).toBe('error');
  });

  test.each([
    [{ persistent: true, enabled: false }, ['c']],
    [{ persistent: true, enabled: true }, ['c', 'one']],
    [{ persistent: false }, ['c']],
    [{}, ['c']],
  ])('TPM %j', (tpm, expected) => {
    expect(names([state('one', old)], withTpm(machine([]), tpm))).toEqual(expected);
  });
});
