import type { Value } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import { jsonPatched } from '../patches/json-patch.ts';
import { mergePatched } from '../patches/merge-patch.ts';
import { strategicMerged } from '../patches/strategic-merge-patch.ts';
import { presented } from '../presented.ts';
import { unsupportedMediaType } from '../refusals.ts';
import type { Resource } from '../resources/resource.ts';

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
/** Accepted by the real server, left out here. */
const APPLY = 'application/apply-patch+yaml';
const STRATEGIC = 'application/strategic-merge-patch+json';

/** What a patch of a content type makes of an object, read in a version. Throws `Refusal`. */
export function patcher(resource: Resource, version: string, contentType: string, patch: Value) {
  const type = contentType.split(';')[0]?.trim() ?? '';
  const apply = applierOf(type, resource);
  return (old: ApiObject): Value => apply(presented(resource, version, old), patch);
}

function applierOf(type: string, resource: Resource): (target: Value, patch: Value) => Value {
  if (type === JSON_PATCH) return jsonPatched;
  if (type === MERGE_PATCH) return mergePatched;
  if (type === STRATEGIC && !resource.strategy.custom) return strategicMerged;
  throw unsupportedMediaType([JSON_PATCH, MERGE_PATCH, ...(resource.strategy.custom ? [] : [STRATEGIC]), APPLY]);
}
