import type { Kind } from '../../../functions/core/kind.ts';

/** In which form a kind's objects are asked for, as HTTP's `Accept`: whole, or their metadata alone. */
export function wantedForm(kind: Kind, answer: 'list' | 'watch'): string {
  if (kind.metadataOnly !== true) return 'application/json';
  // There is no second choice behind it: a server that cannot do it is to say so rather than to send all.
  return `application/json;as=PartialObjectMetadata${answer === 'list' ? 'List' : ''};g=meta.k8s.io;v=v1`;
}
