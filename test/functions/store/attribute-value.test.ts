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

test('a member called __proto__ is one like any other', () => {
  const value = { json: JSON.parse('{"__proto__": {"a": 1}}') as Json };
  expect(JSON.stringify(fromItem(toItem(value)))).toBe('{"json":{"__proto__":{"a":1}}}');
});
