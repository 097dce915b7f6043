import { describe, expect, it } from 'vitest';
import {
  addOp,
  addOrReplace,
  pointer,
  removeOp,
  replaceOp,
  testAndRemove,
  testAndReplace,
  testOp,
} from '../../../functions/core/json-patch.ts';

describe('JSON patches', () => {
  it('escapes keys in paths', () => {
    expect(pointer('metadata', 'annotations', 'kubevirt.io/a~b')).toBe('/metadata/annotations/kubevirt.io~1a~0b');
    expect(pointer('spec', 'volumes', 0)).toBe('/spec/volumes/0');
  });

  it('tests an absent member against null', () => {
    expect(testOp('/spec/running', undefined)).toEqual({ op: 'test', path: '/spec/running', value: null });
    expect(testAndReplace('/status/conditions', undefined, [])).toEqual([
      { op: 'test', path: '/status/conditions', value: null },
      { op: 'replace', path: '/status/conditions', value: [] },
    ]);
  });

  it('sends false and zero as they were read', () => {
    expect(testOp('/a', false).value).toBe(false);
    expect(testOp('/a', 0).value).toBe(0);
  });

  it('adds what is absent, else tests and replaces', () => {
    expect(addOrReplace('/metadata/labels', undefined, { a: 'b' })).toEqual([addOp('/metadata/labels', { a: 'b' })]);
    expect(addOrReplace('/metadata/labels', {}, { a: 'b' })).toEqual([
      testOp('/metadata/labels', {}),
      replaceOp('/metadata/labels', { a: 'b' }),
    ]);
  });

  it('removes what it has tested', () => {
    expect(testAndRemove('/a', 1)).toEqual([testOp('/a', 1), removeOp('/a')]);
  });
});
