import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { isZero } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { canonicalQuantity } from '../../core/quantity/quantity.ts';
import type { ResourceRequirements, Strings } from '../pod-types.ts';
import { present } from '../present.ts';

/** Types of `supportContainerResources`. */
export type SupportType = 'container-disk' | 'virtiofs' | 'sidecar' | 'guest-console-log' | 'hotplug-disk' | 'vmexport';

/** CPU and memory where the cluster says nothing. */
export interface SupportDefaults {
  readonly requests?: Strings;
  readonly limits?: Strings;
}

/** Resources of a helper container, and where they come from. */
export interface SupportResources {
  readonly resources: ResourceRequirements;
  readonly because: string;
}

/**
 * Resources of a helper container (launcher-pod.md 13.1): defaults, each replaced by the cluster's value of that type.
 *
 * @param guaranteed the pod must be of class Guaranteed, so requests are the limits
 */
export function supportResources(
  configuration: ClusterConfiguration,
  type: SupportType,
  defaults: SupportDefaults,
  guaranteed: boolean,
): SupportResources {
  const fromCluster: string[] = [];
  const limits = list('limits');
  const resources = present({ requests: guaranteed ? limits : list('requests'), limits });
  const source =
    fromCluster.length === 0
      ? `resources are the defaults of type ${type}`
      : `${fromCluster.join(', ')} from the cluster's supportContainerResources, type ${type}`;
  return { resources, because: guaranteed ? `${source}; requests are the limits, for class Guaranteed` : source };

  function list(which: 'requests' | 'limits'): Record<string, string> | undefined {
    const entries = ['cpu', 'memory'].flatMap((resource) => {
      const fixed = configured(configuration, type, which, resource);
      if (fixed !== undefined) fromCluster.push(`${which}.${resource}`);
      const value = fixed ?? defaults[which]?.[resource];
      return value === undefined ? [] : [[resource, value] as const];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
}

/** The first entry of the type that has a value for the resource which is not zero. */
function configured(
  { kubevirt }: ClusterConfiguration,
  type: SupportType,
  which: 'requests' | 'limits',
  resource: string,
): string | undefined {
  const values = (kubevirt.supportContainerResources ?? [])
    .filter((entry) => entry.type === type)
    .map((entry) => entry.resources?.[which]?.[resource]);
  const value = values.find((v) => v !== undefined && !isZero(parseQuantity(v)));
  return value === undefined ? undefined : canonicalQuantity(String(value));
}
