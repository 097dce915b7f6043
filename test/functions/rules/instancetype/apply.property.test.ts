import fc from 'fast-check';
import { expect, test } from 'vitest';
import { misfitIn, pathText } from '../../../../functions/core/written-form/misfit.ts';
import { applyInstancetype } from '../../../../functions/rules/instancetype/apply-instancetype.ts';
import { applyProfile } from '../../../../functions/rules/instancetype/apply-profile.ts';
import { applyPreference } from '../../../../functions/rules/instancetype/preferences/apply-preference.ts';
import type { PreferenceSpec } from '../../../../functions/rules/instancetype/profile.ts';
import { anyInstancetype, anyPreference, anySpec } from './any-profile.ts';

const annotations = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', 'a'), { noNullPrototype: true });
const anyTarget = fc.record({ metadata: fc.record({ annotations }), spec: anySpec });
const runs = { numRuns: 300 };

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  Object.freeze(value);
  for (const v of Object.values(value)) deepFreeze(v);
  return value;
}

test('applying changes nothing but its result, and comes to the same again', () => {
  fc.assert(
    fc.property(anyTarget, anyInstancetype, anyPreference, (target, instancetype, preference) => {
      const profile = { instancetype, preference };
      deepFreeze([target, profile]);
      expect(applyProfile(target, profile)).toEqual(applyProfile(structuredClone(target), structuredClone(profile)));
    }),
    runs,
  );
});

test('whatever the instance type: applied, or refused by paths that are set in the target', () => {
  fc.assert(
    fc.property(anyTarget, anyInstancetype, anyPreference, (target, instancetype, preference) => {
      const result = applyInstancetype(target, { instancetype, preference });
      if (result.type === 'applied') {
        expect(misfitIn(result.target.spec, 'VirtualMachineInstanceSpec')).toEqual(undefined);
        return;
      }
      expect(result.fields.length).toBeGreaterThan(0);
      for (const path of result.fields) {
        const value = path.reduce<unknown>((held, step) => (held as Record<string, unknown>)[step], target);
        expect(value ?? undefined, pathText(path)).toBeDefined();
      }
    }),
    runs,
  );
});

test('an instance type sets what it says, so its second application is refused', () => {
  fc.assert(
    fc.property(anyTarget, anyInstancetype, (target, instancetype) => {
      const first = applyInstancetype(target, { instancetype });
      if (first.type !== 'applied') return;
      expect(applyInstancetype(first.target, { instancetype }).type).toBe('conflict');
    }),
    runs,
  );
});

test('a preference applied twice changes nothing more', () => {
  fc.assert(
    fc.property(anyTarget, anyPreference, (target, { firmware, ...preference }) => {
      // Secure boot is not for an EFI that the same preference gives as a whole, but for one that is there.
      const { preferredUseSecureBoot: _, ...rest } = firmware ?? {};
      const once = applyPreference(target, { ...preference, firmware: rest });
      expect(applyPreference(once, { ...preference, firmware: rest })).toEqual(once);
    }),
    runs,
  );
});

test('a preference leaves what is set: only ACPI and the ban of hotplug are overwritten', () => {
  fc.assert(
    fc.property(anyTarget, anyPreference, (target, preference) => {
      const { features, devices } = preference;
      const mild = {
        ...preference,
        ...(features === undefined ? {} : { features: { ...features, preferredAcpi: undefined } }),
        ...(devices === undefined ? {} : { devices: { ...devices, preferredDisableHotplug: undefined } }),
      } as PreferenceSpec;
      const { spec } = applyPreference(target, mild);
      expect(lost(target.spec, spec)).toEqual([]);
    }),
    runs,
  );
});

/** Paths of values that the second has not, or has otherwise; zero values and empty lists may be filled. */
function lost(before: unknown, after: unknown, path = ''): string[] {
  if (before === undefined || before === null || before === '' || before === false || before === 0) return [];
  if (typeof before !== 'object') return before === after ? [] : [path];
  if (typeof after !== 'object' || after === null) return [path];
  return Object.entries(before).flatMap(([key, value]) =>
    lost(value, (after as Record<string, unknown>)[key], `${path}.${key}`),
  );
}
