import type { KubeVirtConfiguration } from '../newer-fields.ts';
import type { KubeVirt } from '../objects.ts';
import type { ClusterConfiguration, ProcessParameters } from './configuration.ts';
import { defaultConfiguration, defaultKubeVirtConfiguration, withDerivedDefaults } from './defaults.ts';
import { MisfitError, overlay } from './overlay.ts';
import { violations } from './validate.ts';

const SKIP_BACKUP_HOOKS = 'kubevirt.io/skip-backup-hooks';

/**
 * The cluster's configuration now (runtime.md 8.1, 8.2; launcher-pod.md 3.1).
 *
 * @param previous the last valid configuration; undefined: there was none yet
 * @param kubevirtObjects all KubeVirt objects, of every namespace, in the order of the list
 * @returns `previous`, or the defaults, where no object counts or the object's version is invalid; the result's
 * `resourceVersion` tells which version is in use
 */
export function resolveConfiguration(
  previous: ClusterConfiguration | undefined,
  kubevirtObjects: readonly KubeVirt[],
  installNamespace: string,
  process: ProcessParameters,
): ClusterConfiguration {
  const lastValid = { ...(previous ?? defaultConfiguration(installNamespace, process)), installNamespace, process };
  const kubevirt = chosenObject(kubevirtObjects, installNamespace);
  if (kubevirt === undefined) return lastValid;

  // The annotation is no part of `spec.configuration`: it holds whether or not that is valid.
  const { skipBackupHooks: _, ...rest } = lastValid;
  const skip = kubevirt.metadata.annotations?.[SKIP_BACKUP_HOOKS];
  const unchanged = skip === undefined ? rest : { ...rest, skipBackupHooks: skip };

  const { resourceVersion } = kubevirt.metadata;
  if (resourceVersion !== undefined && resourceVersion === lastValid.resourceVersion) return unchanged;
  const merged = mergedConfiguration(kubevirt);
  if (merged === undefined) return unchanged;
  const defaultArchitecture = merged.architectureConfiguration?.defaultArchitecture ?? '';
  return { ...unchanged, kubevirt: merged, defaultArchitecture, resourceVersion };
}

/** Among objects that are not being deleted and have a phase the last one found, taken from the own namespace. */
function chosenObject(objects: readonly KubeVirt[], installNamespace: string): KubeVirt | undefined {
  const last = objects.findLast((o) => o.metadata.deletionTimestamp === undefined && (o.status?.phase ?? '') !== '');
  return objects.find((o) => o.metadata.namespace === installNamespace && o.metadata.name === last?.metadata.name);
}

/** Undefined: the version is invalid as a whole. */
function mergedConfiguration(kubevirt: KubeVirt): KubeVirtConfiguration | undefined {
  const given: KubeVirtConfiguration = kubevirt.spec.configuration ?? {};
  let merged: KubeVirtConfiguration;
  try {
    merged = overlay({ ...defaultKubeVirtConfiguration }, { ...given });
  } catch (error) {
    if (error instanceof MisfitError) return undefined;
    throw error;
  }
  if (violations(merged).length > 0) return undefined;
  const defaultArchitecture = kubevirt.status?.defaultArchitecture ?? '';
  return withDerivedDefaults({
    ...merged,
    architectureConfiguration: { ...merged.architectureConfiguration, defaultArchitecture },
  });
}
