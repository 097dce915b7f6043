import type { ApiObject } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import { fieldSelector } from './field-selector.ts';
import { labelSelector } from './label-selector.ts';

/** What a list or watch asks for. */
export interface Selection {
  readonly selects: (object: ApiObject) => boolean;
  /** No selector was given. */
  readonly isAll: boolean;
}

const everything: Selection = { selects: () => true, isAll: true };

export function selectionOf(query: URLSearchParams, resource: Resource): Selection {
  const byLabels = labelSelector(query.get('labelSelector') ?? '');
  const byFields = fieldSelector(query.get('fieldSelector') ?? '', resource);
  if (byLabels === undefined && byFields === undefined) return everything;
  const selects = (object: ApiObject): boolean =>
    (byLabels?.(object.metadata.labels) ?? true) && (byFields?.(object) ?? true);
  return { selects, isAll: false };
}
