import type { Pod } from '../../core/objects.ts';
import { annotation } from '../names.ts';

/** One entry of the network status that Multus writes on a pod. */
export interface MultusStatus {
  readonly name?: string;
  readonly interface?: string;
  readonly default?: boolean;
  readonly mac?: string;
  readonly mtu?: number;
  readonly 'device-info'?: unknown;
}

/** What Multus reports; nothing usable counts as an empty list (vmi.md 11.3). */
export function multusStatusOf(pod: Pod): readonly MultusStatus[] {
  try {
    const parsed: unknown = JSON.parse(pod.metadata.annotations?.[annotation.multusNetworkStatus] ?? '');
    return Array.isArray(parsed) ? parsed.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is MultusStatus {
  return typeof value === 'object' && value !== null;
}
