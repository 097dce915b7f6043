import { badRequest } from '../refusals.ts';

/** The `resourceVersion` of a query; `undefined`: none. Throws `Refusal`. */
export function versionIn(query: URLSearchParams): number | undefined {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return undefined;
  if (!/^\d+$/.test(text))
    throw badRequest(`resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`);
  return Number(text);
}
