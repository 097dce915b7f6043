import type { KubeVirtConfiguration } from '../newer-fields.ts';

const PULL_POLICIES = ['', 'Always', 'Never', 'IfNotPresent'];
const NETWORK_INTERFACES = ['', 'bridge', 'slirp', 'masquerade'];

/** What is wrong with a merged configuration (runtime.md 8.2, step 4); empty: it is valid. */
export function violations(configuration: KubeVirtConfiguration): readonly string[] {
  const { imagePullPolicy, developerConfiguration, network } = configuration;
  const overcommit = developerConfiguration?.memoryOvercommit ?? 0;
  const ratio = developerConfiguration?.cpuAllocationRatio ?? 0;
  const tolerance = developerConfiguration?.pvcTolerateLessSpaceUpToPercent ?? 0;
  const networkInterface = network?.defaultNetworkInterface ?? '';
  return [
    ...(PULL_POLICIES.includes(imagePullPolicy ?? '') ? [] : [`imagePullPolicy is ${imagePullPolicy}`]),
    ...(overcommit > 0 ? [] : [`developerConfiguration.memoryOvercommit is ${overcommit}`]),
    ...(ratio > 0 ? [] : [`developerConfiguration.cpuAllocationRatio is ${ratio}`]),
    ...(tolerance >= 0 && tolerance <= 100
      ? []
      : [`developerConfiguration.pvcTolerateLessSpaceUpToPercent is ${tolerance}`]),
    ...(NETWORK_INTERFACES.includes(networkInterface)
      ? []
      : [`network.defaultNetworkInterface is ${networkInterface}`]),
  ];
}
