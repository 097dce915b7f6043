import { keyFor } from '../../../functions/core/object-index.ts';
import type { Caches } from '../cache/caches.ts';

const VENDOR = 'instancetype.kubevirt.io/vendor';
const vendors = new Set(['kubevirt.io', 'redhat.com']);
const OTHER = '<other>';

/** An instance type or preference, by the kind that it would have in the namespace or in the cluster. */
export interface Reference {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/**
 * What a metric says of an instance type or preference: its name if it is there and comes from a known vendor, so that users'
 * own names make no series (runtime.md 12.6, "Label rules").
 */
export function vendoredName(caches: Caches, reference: Reference | undefined): string {
  if (reference === undefined) return '';
  const object = caches.named(reference.kind)?.get(keyFor(reference.namespace, reference.name));
  return vendors.has(object?.metadata.labels?.[VENDOR] ?? '') ? reference.name : OTHER;
}
