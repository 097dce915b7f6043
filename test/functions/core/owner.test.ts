import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { controllerOf, isControlledBy, ownerReferenceTo, refersTo } from '../../../functions/core/owner.ts';

const vm: KubeObject = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name: 'a', uid: 'u1' } };
const reference = ownerReferenceTo(vm);
const child = (ownerReferences: (typeof reference)[]): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', ownerReferences },
});

describe('owners', () => {
  it('makes a controller reference', () => {
    expect(reference).toEqual({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      name: 'a',
      uid: 'u1',
      controller: true,
      blockOwnerDeletion: true,
    });
    expect(() => ownerReferenceTo({ ...vm, metadata: { name: 'a' } })).toThrow('no uid');
  });

  it('finds the controller among owners, by uid', () => {
    const plain = { ...reference, controller: false, uid: 'u0' };
    expect(controllerOf(child([plain, reference]))).toBe(reference);
    expect(isControlledBy(child([reference]), vm)).toBe(true);
    expect(isControlledBy(child([plain]), { ...vm, metadata: { name: 'a', uid: 'u0' } })).toBe(false);
    expect(isControlledBy(child([]), { ...vm, metadata: { name: 'a' } })).toBe(false);
  });

  it('resolves by kind, name and uid, not by API version', () => {
    expect(refersTo({ ...reference, apiVersion: 'kubevirt.io/v1alpha3' }, vm)).toBe(true);
    expect(refersTo({ ...reference, uid: 'u2' }, vm)).toBe(false);
    expect(refersTo({ ...reference, kind: 'Other' }, vm)).toBe(false);
    expect(refersTo({ ...reference, name: 'b' }, vm)).toBe(false);
  });
});
