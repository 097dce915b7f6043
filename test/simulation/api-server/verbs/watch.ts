/** Watches: what has changed since a version, and all that changes from now on. */
import type { Cluster } from '../cluster.ts';
import type { ApiObject } from '../objects.ts';
import type { WatchEvent } from '../ports.ts';
import { presented } from '../presented.ts';
import { Refusal, unsupported } from '../refusals.ts';
import { groupVersion, type Resource } from '../resources/resource.ts';
import type { Route } from '../routes.ts';
import { selectionOf } from '../selectors/selection.ts';
import type { Change } from '../store/store.ts';
import { versionIn } from './version.ts';

type Deliver = (event: WatchEvent) => void;

export interface OpenWatch {
  readonly resource: Resource;
  readonly isBookmarked: boolean;
  tell(change: Change): void;
  bookmark(version: number): void;
}

/** Tells what is due at once; `undefined`: the watch has ended with an error. Throws `Refusal`. */
export function openWatch(cluster: Cluster, resource: Resource, route: Route, deliver: Deliver): OpenWatch | undefined {
  const { query, namespace, version } = route;
  if (query.get('sendInitialEvents') === 'true') throw unsupported('watch-list');
  const { selects } = selectionOf(query, resource);
  const meant = (object: ApiObject | undefined): boolean =>
    object !== undefined && (namespace === '' || object.metadata.namespace === namespace) && selects(object);
  const say = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: ApiObject): void =>
    deliver({ type, object: presented(resource, version, object) });
  const asked = versionIn(query);
  const { store } = cluster;
  if (asked !== undefined && asked > 0 && asked < store.compacted) {
    const { status } = new Refusal(410, 'Expired', `too old resource version: ${asked} (${store.compacted})`);
    deliver({ type: 'ERROR', object: status });
    return undefined;
  }
  const from = asked === undefined || asked === 0 ? store.version : asked;
  const watch: OpenWatch = {
    resource,
    isBookmarked: query.get('allowWatchBookmarks') === 'true' || query.get('allowWatchBookmarks') === '1',
    tell: (change) => {
      if (change.version <= from) return;
      const was = meant(change.previous);
      const is = change.type !== 'DELETED' && meant(change.object);
      if (is) say(was ? 'MODIFIED' : 'ADDED', change.object);
      else if (was && change.previous !== undefined) say('DELETED', lastSeen(change, change.previous));
    },
    bookmark: (at) => deliver({ type: 'BOOKMARK', object: bookmark(resource, version, at) }),
  };
  if (asked === undefined || asked === 0)
    for (const object of store.list(resource, namespace)) if (meant(object)) say('ADDED', object);
  for (const change of store.changesAfter(resource, from)) watch.tell(change);
  return watch;
}

/** To a watch an object that it does not select any more is gone: as it was, under the change's version. */
function lastSeen({ type, version, object }: Change, previous: ApiObject): ApiObject {
  if (type === 'DELETED') return object;
  return { ...previous, metadata: { ...previous.metadata, resourceVersion: String(version) } };
}

function bookmark(resource: Resource, version: string, at: number): ApiObject {
  return {
    kind: resource.kind,
    apiVersion: groupVersion(resource.group, version),
    // A bookmark has no name.
    metadata: { resourceVersion: String(at) } as ApiObject['metadata'],
  };
}
