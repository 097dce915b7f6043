import type { InstanceSpec, PreferenceSpec } from '../profile.ts';

/** CPU features whose names are missing (vm.md 10.6). */
export function applyCpuFeatures({ domain }: InstanceSpec, { cpu }: PreferenceSpec): void {
  const given = domain.cpu?.features ?? [];
  const missing = (cpu?.preferredCPUFeatures ?? []).filter((wanted) => !given.some((f) => f.name === wanted.name));
  if (missing.length > 0) domain.cpu = { ...domain.cpu, features: [...given, ...structuredClone(missing)] };
}
