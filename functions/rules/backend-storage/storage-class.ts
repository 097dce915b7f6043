/** Where a new claim is made, and how it can be mounted (vmi.md 9.2). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { identityOf } from '../../core/identity.ts';
import type { StorageClass, StorageProfile } from '../../core/objects.ts';

const DEFAULTS = ['storageclass.kubevirt.io/is-default-virt-class', 'storageclass.kubernetes.io/is-default-class'];

/** The configured class, else the default for virtual machines, else the cluster's; the youngest where several are. */
export function stateStorageClass(
  { kubevirt }: ClusterConfiguration,
  classes: readonly StorageClass[],
): string | undefined {
  const configured = kubevirt.vmStateStorageClass ?? '';
  if (configured !== '') return configured;
  const youngestFirst = classes.toSorted((a, b) => createdMs(b) - createdMs(a));
  for (const annotation of DEFAULTS) {
    const found = youngestFirst.find((c) => c.metadata.annotations?.[annotation] === 'true');
    if (found !== undefined) return found.metadata.name;
  }
  return undefined;
}

/** What the class can do for file systems, by CDI's profile of its name; several pods at once are preferred. */
export function stateAccessMode(
  { kubevirt }: ClusterConfiguration,
  storageClass: string,
  profiles: readonly StorageProfile[],
): string {
  const profile = profiles.find((p) => p.metadata.name === storageClass);
  const modes = (profile?.status?.claimPropertySets ?? [])
    .filter((set) => set.volumeMode === 'Filesystem')
    .flatMap((set) => set.accessModes ?? []);
  const possible = ['ReadWriteMany', 'ReadWriteOnce'].find((mode) => modes.includes(mode));
  return possible ?? ((kubevirt.vmStateStorageClass ?? '') === '' ? 'ReadWriteOnce' : 'ReadWriteMany');
}

/** What these rules look at in a class. */
export function storageClassProjection(storageClass: StorageClass): StorageClass {
  const identity = identityOf(storageClass);
  const { creationTimestamp, annotations } = storageClass.metadata;
  const marks = Object.entries(annotations ?? {}).filter(([key]) => DEFAULTS.includes(key));
  const { volumeBindingMode } = storageClass;
  return {
    ...identity,
    metadata: { ...identity.metadata, creationTimestamp, annotations: Object.fromEntries(marks) },
    ...(volumeBindingMode === undefined ? {} : { volumeBindingMode }),
  };
}

/** What these rules look at in a profile. */
export function storageProfileProjection(profile: StorageProfile): StorageProfile {
  const claimPropertySets = profile.status?.claimPropertySets;
  return { ...identityOf(profile), ...(claimPropertySets === undefined ? {} : { status: { claimPropertySets } }) };
}

function createdMs({ metadata }: StorageClass): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}
