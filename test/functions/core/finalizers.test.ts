import { describe, expect, it } from 'vitest';
import { addFinalizer, hasFinalizer, removeFinalizer } from '../../../functions/core/finalizers.ts';

const object = (...finalizers: string[]) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', finalizers } });

describe('finalizers', () => {
  it('are added once, at the end', () => {
    const one = object('x');
    expect(addFinalizer(one, 'y').metadata.finalizers).toEqual(['x', 'y']);
    expect(addFinalizer(one, 'x')).toBe(one);
    expect(one.metadata.finalizers).toEqual(['x']);
    expect(hasFinalizer(one, 'x')).toBe(true);
  });

  it('are removed wherever they stand', () => {
    expect(removeFinalizer(object('x', 'y', 'x'), 'x').metadata.finalizers).toEqual(['y']);
    expect(removeFinalizer(object('x'), 'x').metadata).toEqual({ name: 'a' });
    const other = object('y');
    expect(removeFinalizer(other, 'x')).toBe(other);
  });
});
