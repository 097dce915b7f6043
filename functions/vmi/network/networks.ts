/** Kinds of networks and the names of their interfaces in the pod (vmi.md 11.3). */
import { sha256Hex } from '../../core/digest.ts';
import type { Network } from '../vmi-types.ts';
import type { MultusStatus } from './multus-status.ts';

export const DEFAULT_POD_INTERFACE = 'eth0';

export function isDefault(network: Network): boolean {
  return network.pod !== undefined || isMultusDefault(network);
}

export function isSecondary(network: Network): boolean {
  return network.multus !== undefined && !isMultusDefault(network);
}

/** The package spells the member `_default`; the API says `default`. */
function isMultusDefault({ multus }: Network): boolean {
  return multus !== undefined && 'default' in multus && multus.default === true;
}

/** A network whose device comes from a resource claim. */
export function isResourceClaim(network: Network): boolean {
  return network.resourceClaim !== undefined;
}

/** Pod interface names by network. Ordinal if Multus reports an ordinal name, hashed otherwise. */
export function podInterfaceNames(
  networks: readonly Network[],
  reported: readonly MultusStatus[],
): ReadonlyMap<string, string> {
  const isOrdinal = reported.some((s) => /^net\d+$/.test(s.interface ?? ''));
  const names = new Map<string, string>();
  let ordinal = 0;
  for (const network of networks) {
    if (isSecondary(network)) {
      ordinal += 1;
      names.set(network.name, isOrdinal ? `net${ordinal}` : `pod${sha256Hex(network.name).slice(0, 11)}`);
    } else if (isDefault(network)) {
      names.set(network.name, DEFAULT_POD_INTERFACE);
    }
  }
  return names;
}
