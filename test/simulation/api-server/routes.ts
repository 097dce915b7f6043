/** Paths of the API: `/api/v1/...` and `/apis/<group>/<version>/...`, with and without namespace, name, subresource. */
export interface Route {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Empty: none in the path. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
  /** Empty: the object itself. */
  readonly subresource: string;
  readonly query: URLSearchParams;
}

/** `undefined`: not a path of objects. */
export function routeOf(path: string): Route | undefined {
  const mark = path.indexOf('?');
  const segments = (mark < 0 ? path : path.slice(0, mark)).split('/').slice(1).map(decoded);
  const query = new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1));
  const [root, ...rest] = segments;
  const group = root === 'apis' ? rest.shift() : root === 'api' ? '' : undefined;
  const version = rest.shift();
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  const namespace = namespaceIn(rest);
  const [plural = '', name = '', subresource = '', ...more] = namespace === '' ? rest : rest.slice(2);
  if (plural === '' || more.length > 0) return undefined;
  return { group, version, plural, namespace, name, subresource, query };
}

/** `namespaces/<ns>` alone, or with a subresource of it, is the namespace itself; with anything else it is where that lies. */
function namespaceIn([first, namespace, next]: readonly string[]): string {
  const isScope = first === 'namespaces' && next !== undefined && next !== 'status' && next !== 'finalize';
  return isScope ? (namespace ?? '') : '';
}

function decoded(segment: string): string {
  return segment.includes('%') ? decodeURIComponent(segment) : segment;
}
