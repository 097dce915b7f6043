import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';

export interface ClientLimits {
  /** Requests a second. */
  readonly qps: number;
  readonly burst: number;
}

export const DEFAULT_LIMITS: ClientLimits = { qps: 200, burst: 400 };

/**
 * Limits of the controllers' API client (runtime.md 6), at `spec.configuration.controllerConfiguration.restClient` of the KubeVirt
 * object. The API demands both members; a zero, which is no member any more after merging, means its default.
 */
export function clientLimits(configuration: ClusterConfiguration): ClientLimits {
  const given = configuration.kubevirt.controllerConfiguration?.restClient?.rateLimiter?.tokenBucketRateLimiter;
  const { qps = 0, burst = 0 } = given ?? {};
  return { qps: qps > 0 ? qps : DEFAULT_LIMITS.qps, burst: burst > 0 ? burst : DEFAULT_LIMITS.burst };
}
