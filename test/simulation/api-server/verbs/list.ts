import type { Cluster } from '../cluster.ts';
import type { ApiObject } from '../objects.ts';
import { listItem } from '../presented.ts';
import { badRequest, Refusal, tooLargeVersion } from '../refusals.ts';
import { groupVersion, keyOf, type Resource } from '../resources/resource.ts';
import type { Route } from '../routes.ts';
import { onlyName } from '../selectors/field-selector.ts';
import { type Selection, selectionOf } from '../selectors/selection.ts';
import { versionIn } from './version.ts';

interface Continuation {
  readonly version: number;
  /** Of the last item of the page before. */
  readonly after: string;
}

interface Wanted {
  readonly at: number;
  readonly after: string | undefined;
}

/** A collection, or a page of it. Throws `Refusal`. */
export function list(cluster: Cluster, resource: Resource, { query, namespace, version }: Route): object {
  const selection = selectionOf(query, resource);
  const limit = Number(query.get('limit') ?? '0');
  const { at, after } = wantedBy(cluster, query);
  const only = onlyName(query.get('fieldSelector') ?? '');
  const isOne = only !== undefined && (namespace !== '' || !resource.namespaced);
  const objects = cluster.store.listAt(resource, namespace, at);
  // What is asked for by its name is looked up: nothing is left behind it.
  const all = isOne ? objects.filter(({ metadata }) => metadata.name === only) : objects;
  const { page, left } = pageOf(all, selection, limit, after);
  const last = page.at(-1);
  const metadata = {
    ...(resource.strategy.custom ? { continue: '' } : {}),
    resourceVersion: String(at),
    ...(left > 0 && last !== undefined
      ? {
          continue: token({ version: at, after: keyOf(last.metadata.namespace, last.metadata.name) }),
          // Nobody counts what a selector might find.
          ...(selection.isAll ? { remainingItemCount: left } : {}),
        }
      : {}),
  };
  return {
    kind: `${resource.kind}List`,
    apiVersion: groupVersion(resource.group, version),
    metadata,
    items: page.map((object) => listItem(resource, version, object)),
  };
}

function wantedBy(cluster: Cluster, query: URLSearchParams): Wanted {
  const { store } = cluster;
  const asked = versionIn(query);
  const text = query.get('continue') ?? '';
  if (text !== '') {
    if (asked !== undefined && asked > 0)
      throw badRequest('specifying resource version is not allowed when using continue');
    const { version, after } = continuation(text);
    if (version < store.compacted) throw expiredPage(token({ version: store.version, after }));
    return { at: version, after };
  }
  const match = query.get('resourceVersionMatch');
  if (asked !== undefined && asked > store.version) throw tooLargeVersion(asked, store.version);
  if (match !== 'Exact') return { at: store.version, after: undefined };
  if (asked === undefined || asked === 0)
    throw badRequest('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (asked < store.compacted)
    throw new Refusal(410, 'Expired', `The resourceVersion for the provided list is too old.`);
  return { at: asked, after: undefined };
}

function pageOf(all: readonly ApiObject[], { selects }: Selection, limit: number, after: string | undefined) {
  const page: ApiObject[] = [];
  let left = 0;
  for (const object of all) {
    if (after !== undefined && keyOf(object.metadata.namespace, object.metadata.name) <= after) continue;
    // Nobody looks whether the rest is selected.
    if (limit > 0 && page.length >= limit) left++;
    else if (selects(object)) page.push(object);
  }
  return { page, left };
}

function token(continuation: Continuation): string {
  return Buffer.from(JSON.stringify(continuation)).toString('base64url');
}

function continuation(text: string): Continuation {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Continuation;
  } catch {
    throw badRequest('continue key is not valid: unexpected token');
  }
}

/** Brings a token with which the rest can be had, from the newest state. */
function expiredPage(next: string): Refusal {
  const refusal = new Refusal(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  Object.assign(refusal.status.metadata, { continue: next });
  return refusal;
}
