/** Names under which the VM controller looks for data volumes, claims and the sources of clones. */
import { keyFor } from '../core/object-index.ts';
import type { DataSource, DataVolume, VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import { type Clone, dataSourceKey, resolveSource } from './data-volumes/clone-source.ts';
import { nameOf, type Template } from './data-volumes/manifest.ts';
import { claimNameOf, templateVolumes } from './template-volumes.ts';

export function dataVolumeNames(vm: VirtualMachine): readonly string[] {
  const templated = (vm.spec.dataVolumeTemplates ?? []).map(nameOf);
  return [...templated, ...templateVolumes(vm).flatMap((v) => claimNameOf(v) ?? [])];
}

/** Claims of the VM's volumes and of the running VMI's, of data volumes, and the one of a memory dump. */
export function claimNames(vm: VirtualMachine, instance: VirtualMachineInstance | undefined): readonly string[] {
  const dump = vm.status?.memoryDumpRequest?.claimName;
  const running = (instance?.spec.volumes ?? []).flatMap((v) => claimNameOf(v) ?? []);
  return [...dataVolumeNames(vm), ...running, ...(dump === undefined ? [] : [dump])];
}

export function dataSourceKeys(vm: VirtualMachine, dataVolumes: readonly DataVolume[]): readonly string[] {
  return missing(vm, dataVolumes).flatMap((t) => dataSourceKey(t.spec, vm.metadata.namespace ?? '') ?? []);
}

export function cloneSourceKeys(
  vm: VirtualMachine,
  dataVolumes: readonly DataVolume[],
  dataSources: readonly DataSource[],
): readonly string[] {
  const claims = clones(vm, dataVolumes, dataSources).filter((c) => c.type === 'pvc');
  return claims.map((c) => keyFor(c.namespace, c.name));
}

export function cloneSourceNamespaces(
  vm: VirtualMachine,
  dataVolumes: readonly DataVolume[],
  dataSources: readonly DataSource[],
): readonly string[] {
  return clones(vm, dataVolumes, dataSources).map((c) => c.namespace);
}

function clones(vm: VirtualMachine, dataVolumes: readonly DataVolume[], dataSources: readonly DataSource[]): Clone[] {
  return missing(vm, dataVolumes).flatMap((t) => {
    const source = resolveSource(t.spec, vm.metadata.namespace ?? '', dataSources);
    return source.type === 'resolved' && source.clone !== undefined ? [source.clone] : [];
  });
}

/** The templates whose data volumes are still to be made. */
function missing({ spec }: VirtualMachine, dataVolumes: readonly DataVolume[]): readonly Template[] {
  return (spec.dataVolumeTemplates ?? []).filter((t) => !dataVolumes.some((d) => d.metadata.name === nameOf(t)));
}
