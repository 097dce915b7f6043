import { PersistentVolumeClaim } from '../../../../functions/core/kinds.ts';
import { keyFor } from '../../../../functions/core/object-index.ts';
import type { PersistentVolumeClaim as Claim, VirtualMachine } from '../../../../functions/core/objects.ts';
import { unitsOf } from '../quantities.ts';
import { gaugeOf, identityOf } from '../scraped-family.ts';

interface Sized {
  readonly resources?: { readonly requests?: Readonly<Record<string, unknown>> };
}

/** `kubevirt_vm_disk_allocated_size_bytes` (runtime.md 12.7): what was asked for, in the data volume template before the claim. */
export const diskSize = gaugeOf<VirtualMachine>()({
  name: 'kubevirt_vm_disk_allocated_size_bytes',
  help: "Size of a VM's disks as asked for.",
  labels: ['name', 'namespace', 'persistentvolumeclaim', 'volume_mode', 'device'],
  samplesOf: (vm, { caches }) =>
    (vm.spec.template?.spec?.volumes ?? []).flatMap((volume) => {
      const claimName = volume.persistentVolumeClaim?.claimName ?? volume.dataVolume?.name;
      if (claimName === undefined) return [];
      const claim = caches.of(PersistentVolumeClaim).get(keyFor(vm.metadata.namespace, claimName)) as Claim | undefined;
      if (claim === undefined) return [];
      const value = templateSize(vm, volume.dataVolume?.name) ?? sizeOf(claim.spec);
      if (value === undefined) return [];
      const labels = {
        ...identityOf(vm),
        persistentvolumeclaim: claimName,
        volume_mode: claim.spec.volumeMode ?? '',
        device: volume.name,
      };
      return [{ labels, value }];
    }),
});

function templateSize(vm: VirtualMachine, dataVolume: string | undefined): number | undefined {
  const template = vm.spec.dataVolumeTemplates?.find(
    (t) => dataVolume !== undefined && (t.metadata as { name?: string } | undefined)?.name === dataVolume,
  );
  return sizeOf(template?.spec.pvc as Sized | undefined) ?? sizeOf(template?.spec.storage as Sized | undefined);
}

function sizeOf(sized: Sized | undefined): number | undefined {
  return unitsOf(sized?.resources?.requests?.['storage'] as string | undefined);
}
