import type { ClusterConfiguration } from '../../functions/core/configuration/configuration.ts';

/** Verbosity of virt-controller's log (runtime.md 8.3): what is said of its host counts before what is said of all. */
export function logVerbosity(configuration: ClusterConfiguration, host: string): number {
  const given = configuration.kubevirt.developerConfiguration?.logVerbosity;
  return given?.nodeVerbosity?.[host] || (given?.virtController ?? 2);
}
