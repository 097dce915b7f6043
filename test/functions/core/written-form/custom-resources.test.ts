import { describe, expect, it } from 'vitest';
import { type Member, membersOf, type TypeName } from '../../../../functions/core/written-form/members.ts';
import { isThere, readJson, whyNot } from './site.ts';

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  'x-kubernetes-int-or-string'?: boolean;
}

/** What the table does not know, or takes for something else, at or under a path. */
function differences(schema: Schema, member: Member | undefined, path: string): string[] {
  if (member === undefined) return [`${path} is missing`];
  if (member.shape === 'raw') return [];
  const shape = shapeOf(schema);
  if (shape !== member.shape) return [`${path} is a ${shape}, not a ${member.shape}`];
  if (member.shape === 'list') return differences(schema.items ?? {}, member.of, `${path}[]`);
  if (member.shape === 'map') return differences(valuesOf(schema) ?? {}, member.of, `${path}{}`);
  if (member.shape !== 'object') return [];
  const members = membersOf(member.type);
  return Object.entries(schema.properties ?? {}).flatMap(([name, s]) =>
    differences(s, members.get(name), `${path}.${name}`),
  );
}

function shapeOf(schema: Schema): Member['shape'] | 'unknown' {
  if (schema['x-kubernetes-int-or-string'] === true) return schema.pattern === undefined ? 'unknown' : 'quantity';
  if (schema.format === 'date-time') return 'time';
  switch (schema.type ?? 'any') {
    case 'array':
      return 'list';
    case 'object':
      return valuesOf(schema) === undefined ? 'object' : 'map';
    case 'integer':
      return 'number';
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    default:
      return 'unknown';
  }
}

function valuesOf({ additionalProperties: of }: Schema): Schema | undefined {
  return typeof of === 'object' ? of : undefined;
}

function schemaOf(file: string): Schema {
  const definition = readJson('crds', file) as {
    spec: { versions: { name: string; schema: { openAPIV3Schema: Schema } }[] };
  };
  return definition.spec.versions.find((v) => v.name === 'v1' || v.name === 'v1beta1')?.schema.openAPIV3Schema ?? {};
}

describe('the table of types knows every member of the custom resource definitions', () => {
  const kinds: [TypeName, string][] = [
    ['VirtualMachine', 'virtualmachines.json'],
    ['VirtualMachineInstance', 'virtualmachineinstances.json'],
    ['VirtualMachineInstancetype', 'virtualmachineinstancetypes.json'],
    ['VirtualMachineInstancetype', 'virtualmachineclusterinstancetypes.json'],
    ['VirtualMachinePreference', 'virtualmachinepreferences.json'],
    ['VirtualMachinePreference', 'virtualmachineclusterpreferences.json'],
  ];
  it.for(kinds)('%s: %s', ([type, file], context) => {
    if (!isThere) context.skip(whyNot);
    expect(differences(schemaOf(file), { shape: 'object', presence: 'plain', type }, type)).toEqual([]);
  });
});
