import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromItem, type Json, toItem } from '../../../functions/store/attribute-value.ts';

test('any JSON is itself again', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.parse(JSON.stringify(value)) as Json;
      expect(fromItem(toItem({ json }))).toEqual({ json });
    }),
  );
});

test('members that are undefined are left out', () => {
  expect(toItem({ a: undefined, b: '' })).toEqual({ b: { S: '' } });
});
