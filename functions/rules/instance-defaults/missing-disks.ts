import type { VirtualMachineInstance } from '../../core/objects.ts';

type Spec = VirtualMachineInstance['spec'];

/** A disk for every volume that is used neither as a disk nor as a filesystem (vm.md 5.10, step 4.6). */
export function withMissingDisks(spec: Spec): Spec {
  const { volumes, domain } = spec;
  const { disks = [], filesystems = [] } = domain?.devices ?? {};
  const used = new Set([...disks, ...filesystems].map((d) => d.name));
  const missing = (volumes ?? []).filter((v) => !used.has(v.name)).map((v) => ({ name: v.name }));
  if (missing.length === 0) return spec;
  return { ...spec, domain: { ...domain, devices: { ...domain?.devices, disks: [...disks, ...missing] } } };
}
