/** kube-apiserver, and what controllers depend on of kube-controller-manager, in memory and under a clock that is given. */
import { bootstrap } from './bootstrap.ts';
import { Cluster } from './cluster.ts';
import { Controllers } from './controllers/controllers.ts';
import { frozen, type Value } from './json/value.ts';
import type { ApiRequest, ApiResponse, ApiServerPorts, WatchEvent } from './ports.ts';
import { presented } from './presented.ts';
import {
  badRequest,
  methodNotAllowed,
  noSuchPath,
  noSuchResource,
  notFound,
  Refusal,
  unsupported,
} from './refusals.ts';
import type { CustomResourceDefinition } from './resources/custom-resource.ts';
import { keyOf, type Resource } from './resources/resource.ts';
import { type Route, routeOf } from './routes.ts';
import { bind } from './verbs/binding.ts';
import { deleteMany, deleteOne } from './verbs/delete.ts';
import { list } from './verbs/list.ts';
import { patcher } from './verbs/patch.ts';
import { type OpenWatch, openWatch } from './verbs/watch.ts';
import { create } from './writing/create.ts';
import { update } from './writing/update.ts';

export interface Watch {
  close(): void;
}

export class ApiServer {
  readonly #cluster: Cluster;
  readonly #controllers: Controllers;
  readonly #watches = new Set<OpenWatch>();

  /** The definitions are established from the start. */
  constructor(ports: ApiServerPorts, definitions: readonly CustomResourceDefinition[]) {
    this.#cluster = new Cluster(ports);
    this.#controllers = new Controllers(this.#cluster);
    this.#cluster.store.onChange((resource, change) => {
      for (const watch of this.#watches) if (watch.resource === resource) watch.tell(change);
    });
    bootstrap(this.#cluster, definitions);
    this.#controllers.settle();
  }

  get resourceVersion(): string {
    return String(this.#cluster.store.version);
  }

  /**
   * One request, answered at once: nothing else happens in between. What is answered is frozen and shares nothing that changes.
   * A refusal is a `Status` object, as from the real server; what the model leaves out: differences.ts.
   */
  request(request: ApiRequest): ApiResponse {
    try {
      return this.#answer(request);
    } catch (e) {
      if (e instanceof Refusal) return e.response;
      throw e;
    }
  }

  /**
   * Opens a watch on a collection's path (with query, `watch=true` or not): the refusal, or what has happened since the version
   * asked for, delivered before this returns, and everything from then on, delivered within the request that does it. A version
   * that is compacted is, as with the real server, an `ERROR` event, and nothing follows.
   */
  watch(path: string, deliver: (event: WatchEvent) => void): ApiResponse | Watch {
    let open = true;
    try {
      const route = routeOf(path);
      if (route === undefined) throw noSuchPath();
      const watch = openWatch(this.#cluster, this.#resource(route), route, (event) => {
        if (open) deliver(event);
      });
      if (watch !== undefined) this.#watches.add(watch);
      return {
        close: () => {
          open = false;
          if (watch !== undefined) this.#watches.delete(watch);
        },
      };
    } catch (e) {
      if (e instanceof Refusal) return e.response;
      throw e;
    }
  }

  /** Sends a bookmark to every watch that asked for them. */
  bookmark(): void {
    for (const watch of this.#watches) if (watch.isBookmarked) watch.bookmark(this.#cluster.store.version);
  }

  /** Each controller of kube-controller-manager does what is due now; whether that changed anything. */
  background(): boolean {
    return this.#controllers.pass();
  }

  /** Forgets all history: watches and pages from versions before now get 410. */
  compact(): void {
    this.#cluster.store.compact();
  }

  #answer({ method, path, body, contentType }: ApiRequest): ApiResponse {
    const route = routeOf(path);
    if (route === undefined) return elsewhere(method, path);
    const resource = this.#resource(route);
    if (route.subresource !== '') return this.#subresource(method, resource, route, body, contentType);
    if (route.name === '') return this.#collection(method, resource, route, body);
    switch (method) {
      case 'GET':
        return { status: 200, body: presented(resource, route.version, this.#found(resource, route)) };
      case 'PUT':
      case 'PATCH':
        return this.#update(method, resource, route, 'object', body, contentType);
      case 'DELETE':
        return { status: 200, body: deleteOne(this.#cluster, resource, route, optional(body)) };
      default:
        throw methodNotAllowed();
    }
  }

  #collection(method: string, resource: Resource, route: Route, body: unknown): ApiResponse {
    const isWholeCluster = resource.namespaced && route.namespace === '';
    switch (method) {
      case 'GET':
        if (route.query.get('watch') === 'true' || route.query.get('watch') === '1')
          throw unsupported('watch by request');
        return { status: 200, body: list(this.#cluster, resource, route) };
      case 'POST': {
        if (isWholeCluster) throw methodNotAllowed();
        const { namespace, version } = route;
        const object = create(this.#cluster, { resource, version, namespace, body: json(body) });
        return { status: 201, body: presented(resource, version, frozen(object)) };
      }
      case 'DELETE':
        if (isWholeCluster) throw methodNotAllowed();
        return { status: 200, body: deleteMany(this.#cluster, resource, route, optional(body)) };
      default:
        throw methodNotAllowed();
    }
  }

  #subresource(method: string, resource: Resource, route: Route, body: unknown, contentType?: string): ApiResponse {
    const { subresource } = route;
    if (subresource === 'binding' && resource.kind === 'Pod' && method === 'POST')
      return { status: 201, body: bind(this.#cluster, route, json(body)) };
    if (subresource !== 'status') throw noSuchResource();
    if (resource.strategy.prepareStatus === undefined)
      throw resource.strategy.custom ? notFound(resource, route.name) : noSuchResource();
    if (method === 'GET')
      return { status: 200, body: presented(resource, route.version, this.#found(resource, route)) };
    if (method !== 'PUT' && method !== 'PATCH') throw methodNotAllowed();
    return this.#update(method, resource, route, 'status', body, contentType);
  }

  #update(
    method: 'PUT' | 'PATCH',
    resource: Resource,
    { version, namespace, name }: Route,
    part: 'object' | 'status',
    body: unknown,
    contentType = 'application/json',
  ): ApiResponse {
    const sent = json(body);
    const how =
      method === 'PUT'
        ? { type: 'put' as const, body: sent }
        : { type: 'patch' as const, patched: patcher(resource, version, contentType, sent) };
    const { type, object } = update(this.#cluster, { resource, version, namespace, name, part, how });
    return { status: type === 'created' ? 201 : 200, body: presented(resource, version, frozen(object)) };
  }

  #resource({ group, version, plural, namespace }: Route): Resource {
    const { catalogue } = this.#cluster;
    const resource = catalogue.named(group, plural);
    const isServed = resource?.versions.includes(version) === true && (namespace === '' || resource.namespaced);
    if (isServed) return resource;
    throw catalogue.hasBuiltIn(group) ? noSuchResource() : noSuchPath();
  }

  #found(resource: Resource, { namespace, name }: Route) {
    const object = this.#cluster.store.get(resource, keyOf(namespace, name));
    if (object === undefined) throw notFound(resource, name);
    return object;
  }
}

/** Paths of no objects: health. */
function elsewhere(method: string, path: string): ApiResponse {
  const isHealth = ['/healthz', '/livez', '/readyz'].includes(path.split('?')[0] ?? '');
  if (method === 'GET' && isHealth) return { status: 200, body: 'ok' };
  return noSuchPath().response;
}

function json(body: unknown): Value {
  if (body === undefined) throw badRequest('unexpected end of JSON input');
  if (typeof body !== 'string') return body as Value;
  try {
    return JSON.parse(body) as Value;
  } catch (e) {
    throw badRequest(String(e));
  }
}

function optional(body: unknown): Value | undefined {
  return body === undefined || body === '' ? undefined : json(body);
}
