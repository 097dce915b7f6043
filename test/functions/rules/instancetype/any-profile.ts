import fc from 'fast-check';
import { membersOf, type parseMember, type TypeName } from '../../../../functions/core/written-form/members.ts';
import type {
  InstanceSpec,
  InstancetypeSpec,
  PreferenceSpec,
} from '../../../../functions/rules/instancetype/profile.ts';

type Member = ReturnType<typeof parseMember>;

/** Any value of a type of the API, by the table of types; members come and go. */
function anyOf(type: TypeName, depth: number): fc.Arbitrary<object> {
  const members = [...membersOf(type)].filter(([, m]) => m.shape !== 'raw');
  const required = members.filter(([, m]) => m.presence === 'always').map(([name]) => name);
  const model = Object.fromEntries(members.map(([name, m]) => [name, anyValue(m, depth - 1, name)]));
  return fc.record(model, { requiredKeys: required as never[], noNullPrototype: true });
}

function anyValue(member: Member, depth: number, name: string): fc.Arbitrary<unknown> {
  switch (member.shape) {
    case 'list':
      return depth <= 0 ? fc.constant([]) : fc.array(anyValue(member.of, depth - 1, name), { maxLength: 2 });
    case 'map':
      return fc.dictionary(fc.constantFrom('a', 'b', 'cpu', 'memory'), anyValue(member.of, depth - 1, name), {
        maxKeys: 3,
        noNullPrototype: true,
      });
    case 'object':
      return member.type === undefined || depth <= 0 ? minimal(member.type) : anyOf(member.type, depth);
    case 'string':
      return textOf(name);
    case 'number':
      return fc.integer({ min: 0, max: 9 });
    case 'boolean':
      return fc.boolean();
    case 'quantity':
      return fc.constantFrom('0', '1', '500m', '1Gi', '1025M', '4e9');
    case 'time':
      return fc.constant('2026-01-01T00:00:00Z');
    case 'raw':
      return fc.constant({});
  }
}

const topologies = ['cores', 'sockets', 'threads', 'spread', 'any', 'preferSpread', 'x'];
function textOf(name: string): fc.Arbitrary<string> {
  if (name === 'preferredCPUTopology') return fc.constantFrom(...topologies);
  if (name === 'across') return fc.constantFrom('SocketsCores', 'CoresThreads', 'SocketsCoresThreads', 'x');
  return fc.constantFrom('', 'a', 'b', 'virtio', 'sata');
}

function minimal(type: TypeName | undefined): fc.Arbitrary<object> {
  const required = [...membersOf(type)].filter(([, m]) => m.presence === 'always');
  return fc.record(Object.fromEntries(required.map(([name, m]) => [name, anyValue(m, 0, name)])), {
    noNullPrototype: true,
  });
}

export const anyInstancetype = anyOf('VirtualMachineInstancetypeSpec', 5) as fc.Arbitrary<InstancetypeSpec>;
export const anyPreference = anyOf('VirtualMachinePreferenceSpec', 5) as fc.Arbitrary<PreferenceSpec>;
export const anySpec = fc.oneof(
  anyOf('VirtualMachineInstanceSpec', 5),
  fc.constantFrom({}, { domain: {} }, { domain: { devices: {} } }),
) as fc.Arbitrary<InstanceSpec>;
