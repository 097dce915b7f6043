import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedPaths, type Path } from '../../../../events/relay/allow-list/changed-paths.ts';
import { pathOf, pointerOf } from '../../../../events/relay/allow-list/field-list.ts';
import { putChanges } from '../../../../events/relay/allow-list/put-changes.ts';
import type { KubeObject } from '../../../../functions/core/objects.ts';
import { writtenForm } from '../../../../functions/core/written-form/written-form.ts';

/** Parts of a VMI's spec as users write them, in all spellings: absent, null, zero, not canonical, unknown. */
const quantity = fc.constantFrom('1024Mi', '1Gi', '0.5', '0', 1, null);
const spec = fc.record(
  {
    hostname: fc.constantFrom('', 'h'),
    terminationGracePeriodSeconds: fc.constantFrom(0, 30, null),
    nodeSelector: fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('', 'x')),
    volumes: fc.array(
      fc.record({ name: fc.constantFrom('v', ''), emptyDisk: fc.record({ capacity: quantity }) }, { requiredKeys: [] }),
      { maxLength: 2 },
    ),
    domain: fc.record(
      {
        cpu: fc.record({ cores: fc.constantFrom(0, 2), model: fc.constantFrom('', 'm') }, { requiredKeys: [] }),
        memory: fc.record({ guest: quantity }, { requiredKeys: [] }),
        resources: fc.record({ requests: fc.record({ memory: quantity }) }, { requiredKeys: [] }),
        unknown: fc.constantFrom(1, {}),
      },
      { requiredKeys: [] },
    ),
    unknown: fc.constantFrom('', []),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const stored = fc.tuple(fc.constantFrom('VirtualMachine', 'VirtualMachineInstance'), spec).map(([kind, s]) => ({
  apiVersion: 'kubevirt.io/v1',
  kind,
  metadata: { name: 'v', namespace: 'ns', uid: 'u', resourceVersion: '5', labels: {}, annotations: { a: '' } },
  spec: kind === 'VirtualMachine' ? { running: false, template: { spec: s } } : s,
}));

const pointers = (paths: readonly Path[]) => paths.map(pointerOf).sort();

test('the written form of what is stored changes nothing, whatever the spelling, and neither does what is stored', () => {
  fc.assert(
    fc.property(stored, (object) => {
      expect(putChanges(object as KubeObject, writtenForm(object as KubeObject))).toEqual([]);
      expect(putChanges(object as KubeObject, object as KubeObject)).toEqual([]);
    }),
  );
});

test('a change shows at its own path, and nowhere else', () => {
  fc.assert(
    fc.property(stored, (object) => {
      const changed = {
        ...object,
        metadata: { ...object.metadata, annotations: { a: '', 'b/c': 'x' } },
        spec: { ...object.spec, hostname: 'changed', running: true },
      };
      // Each kind has one of the two members; the other one would vanish, so that it must not be new.
      const put = writtenForm(changed as KubeObject);
      const member = object.kind === 'VirtualMachine' ? '/spec/running' : '/spec/hostname';
      expect(pointers(putChanges(object as KubeObject, put))).toEqual(['/metadata/annotations/b~1c', member]);
    }),
  );
});

test('two values have no difference if they are the same JSON, and only then', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
      const paths = changedPaths(a, b);
      expect(paths.length === 0).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      for (const path of paths) expect(pathOf(pointerOf(path))).toEqual(path);
    }),
  );
});

/** With the members of objects in order; `-0` is `0` in JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1));
  return { members: members.map(([k, v]) => [k, sorted(v)]) };
}
