import { describe, expect, test } from 'vitest';
import { declaredControllers } from '../../../../functions/controllers.ts';
import { kindNamed } from '../../../../functions/core/kinds.ts';

describe.each(declaredControllers)('$controller.name', ({ controller, writes: { controller: name, rules } }) => {
  const reads = new Set([controller.primary, ...Object.values(controller.reads).map((r) => r.kind)].map((k) => k.kind));

  test('its writes are found under its name', () => {
    expect(name).toBe(controller.name);
  });

  test('what it changes or deletes it also reads, or no such action would be allowed', () => {
    const changed = rules.filter((r) => r.verbs.some((verb) => verb !== 'create')).map((r) => r.kind.kind);
    expect(changed.filter((kind) => !reads.has(kind))).toEqual([]);
  });

  test('fields are there for changes, and only for them', () => {
    for (const { verbs, fields, kind, subresource } of rules)
      expect([kind.kind, fields !== undefined]).toEqual([
        kind.kind,
        (subresource ?? 'status') === 'status' && (verbs.includes('update') || verbs.includes('patch')),
      ]);
  });

  test('a status is PUT only where the API server takes nothing else from it: in custom resources', () => {
    for (const { kind, subresource, verbs } of rules) {
      expect(kindNamed(kind.kind)).toBe(kind);
      if (subresource !== 'status') continue;
      expect(kind.statusSubresource).toBe(true);
      if (verbs.includes('update')) expect(kind.apiVersion).toContain('.');
    }
  });
});
