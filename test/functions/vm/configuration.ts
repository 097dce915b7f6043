import type { KubeVirtConfiguration } from '../../../functions/core/newer-fields.ts';
import type { World } from './world.ts';

/** Changes the KubeVirt object's configuration. */
export function configure(world: World, changes: Partial<KubeVirtConfiguration>): void {
  const { configuration } = world.driver;
  world.driver.configuration = { ...configuration, kubevirt: { ...configuration.kubevirt, ...changes } };
}

export function enableGate(world: World, gate: string): void {
  const { developerConfiguration } = world.driver.configuration.kubevirt;
  const featureGates = [...(developerConfiguration?.featureGates ?? []), gate];
  configure(world, { developerConfiguration: { ...developerConfiguration, featureGates } });
}
