import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { semanticallyEqual } from '../../../../functions/core/semantic-equal.ts';
import { type Member, membersOf, type TypeName } from '../../../../functions/core/written-form/members.ts';
import { writtenAs } from '../../../../functions/core/written-form/written-form.ts';

const quantities = ['0', '0Mi', '1024Mi', '1.5Gi', '0.5', '1000M', '1048576k', '12e6', '1Gi', 'no quantity', '100n'];
const times = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.123456Z', '2020-01-01T02:00:00+02:00', 'no time'];

/** Anything that a user could have stored as that member: absent, null, zero, not canonical, unknown members. */
function valueOf(member: Member, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
    { weight: 3, arbitrary: present(member, depth) },
  );
}

function present(member: Member, depth: number): fc.Arbitrary<unknown> {
  switch (member.shape) {
    case 'string':
      return fc.constantFrom('', 'a', 'b');
    case 'number':
      return fc.constantFrom(0, 1, 2);
    case 'boolean':
      return fc.boolean();
    case 'quantity':
      return fc.constantFrom<string | number>(...quantities, 0, 3);
    case 'time':
      return fc.constantFrom(...times);
    case 'raw':
      return fc.constantFrom<unknown>(0, '', 'a', {});
    case 'list':
      return fc.array(present(member.of, depth - 1), { maxLength: depth > 0 ? 2 : 0 });
    case 'map':
      return fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), present(member.of, depth - 1), {
        maxKeys: 2,
        noNullPrototype: true,
      });
    case 'object':
      return objectOf(member.type, depth - 1);
  }
}

function objectOf(type: TypeName | undefined, depth: number): fc.Arbitrary<object> {
  const unknown = { unknownMember: fc.constantFrom<unknown>(1, {}) };
  if (depth <= 0) return fc.record(unknown, { requiredKeys: [], noNullPrototype: true });
  const members = [...membersOf(type)].map(([name, m]) => [
    name,
    fc.option(valueOf(m, depth), { nil: undefined, freq: 2 }),
  ]);
  return fc.record({ ...Object.fromEntries(members), ...unknown }, { requiredKeys: [], noNullPrototype: true });
}

describe.each([
  'VirtualMachine',
  'VirtualMachineInstance',
  'VirtualMachineSpec',
  'VirtualMachineInstanceStatus',
] as const)('any %s', (type) => {
  const objects = objectOf(type, 6);

  it('is in its written form after one pass, and the argument stays as it was', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const before = structuredClone(object);
        const written = writtenAs(object, type);
        expect(object).toStrictEqual(before);
        expect(writtenAs(written, type)).toStrictEqual(written);
        expect(JSON.parse(JSON.stringify(written))).toStrictEqual(written);
      }),
      { numRuns: 60 },
    );
  });

  it('equals its written form, whole seconds of times aside', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const seconds: typeof object = JSON.parse(JSON.stringify(object).replaceAll('.123456', ''));
        expect(semanticallyEqual(seconds, writtenAs(seconds, type), type)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
