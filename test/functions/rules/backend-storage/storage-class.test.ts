import { describe, expect, test } from 'vitest';
import { defaultConfiguration, defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import type { StorageClass, StorageProfile } from '../../../../functions/core/objects.ts';
import { stateAccessMode, stateStorageClass } from '../../../../functions/rules/backend-storage/storage-class.ts';

const base = defaultConfiguration('kubevirt', defaultProcessParameters);
const configured = (name: string) => ({ ...base, kubevirt: { ...base.kubevirt, vmStateStorageClass: name } });
const VIRT = { 'storageclass.kubevirt.io/is-default-virt-class': 'true' };
const PLAIN = { 'storageclass.kubernetes.io/is-default-class': 'true' };

const storageClass = (name: string, annotations: Record<string, string> = {}, created = ''): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations, creationTimestamp: created },
});
const profile = (name: string, ...sets: { accessModes?: string[]; volumeMode?: string }[]): StorageProfile => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'StorageProfile',
  metadata: { name },
  status: { claimPropertySets: sets },
});

describe('class of a claim for state (vmi.md 9.2)', () => {
  test('the configured one, else the default of virtual machines, else that of the cluster', () => {
    const all = [storageClass('plain', PLAIN), storageClass('virt', VIRT), storageClass('other')];
    expect(stateStorageClass(configured('mine'), all)).toBe('mine');
    expect(stateStorageClass(base, all)).toBe('virt');
    expect(stateStorageClass(base, [storageClass('other'), storageClass('plain', PLAIN)])).toBe('plain');
    expect(
      stateStorageClass(base, [storageClass('no', { ...VIRT, [Object.keys(VIRT)[0] ?? '']: 'false' })]),
    ).toBeUndefined();
  });

  test('the youngest of several defaults, in whatever order', () => {
    const two = [storageClass('old', VIRT, '2026-01-01T00:00:00Z'), storageClass('new', VIRT, '2026-02-01T00:00:00Z')];
    expect(stateStorageClass(base, two)).toBe('new');
    expect(stateStorageClass(base, two.toReversed())).toBe('new');
  });
});

describe('access mode of a claim for state', () => {
  const file = (...accessModes: string[]) => ({ accessModes, volumeMode: 'Filesystem' });

  test.each([
    [[profile('c', file('ReadWriteOnce'), file('ReadWriteMany'))], 'ReadWriteMany'],
    [[profile('c', file('ReadWriteOnce', 'ReadOnlyMany'))], 'ReadWriteOnce'],
    [[profile('c', { accessModes: ['ReadWriteMany'], volumeMode: 'Block' })], 'ReadWriteOnce'],
    [[profile('c', { volumeMode: 'Filesystem' })], 'ReadWriteOnce'],
    [[profile('another', file('ReadWriteMany'))], 'ReadWriteOnce'],
    [[], 'ReadWriteOnce'],
  ])('by the profile %j: %s', (profiles, mode) => {
    expect(stateAccessMode(base, 'c', profiles)).toBe(mode);
  });

  test('without a profile a configured class is taken to be shared', () => {
    expect(stateAccessMode(configured('c'), 'c', [])).toBe('ReadWriteMany');
    expect(stateAccessMode(configured('c'), 'c', [profile('c', file('ReadWriteOnce'))])).toBe('ReadWriteOnce');
  });
});
