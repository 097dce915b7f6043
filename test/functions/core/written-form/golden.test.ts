import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import { writtenForm } from '../../../../functions/core/written-form/written-form.ts';
import { isThere, jsonFilesUnder, readJson, whyNot } from './site.ts';

const kinds = ['VirtualMachine', 'VirtualMachineInstance', 'Pod', 'ControllerRevision'];

function* objectsIn(value: unknown): Generator<KubeObject> {
  if (typeof value !== 'object' || value === null) return;
  if ('kind' in value && 'metadata' in value && kinds.includes(String(value.kind))) yield value as KubeObject;
  else for (const v of Object.values(value)) yield* objectsIn(v);
}

/** Golden files come without empty members; `null` and `""` mean the same there. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([k, v]) => [k, withoutEmpty(v)] as const);
  return Object.fromEntries(entries.filter(([, v]) => !isEmpty(v)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}

it('the objects of the golden files are in their written form already', (context) => {
  if (!isThere) context.skip(whyNot);
  const objects = jsonFilesUnder('golden').flatMap((file) => [...objectsIn(readJson(file))]);
  expect(objects.length).toBeGreaterThan(100);
  for (const object of objects) expect(withoutEmpty(writtenForm(object))).toEqual(withoutEmpty(object));
});
