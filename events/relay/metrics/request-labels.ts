/** How requests to the API server are labelled (runtime.md 12.3). */

export interface RequestLabels {
  readonly resource: string;
  readonly verb: string;
  /** The path with placeholders for names, so that objects make no series; without its query. */
  readonly url: string;
}

const verbOfMethod: Readonly<Record<string, string>> = {
  GET: 'GET',
  PUT: 'UPDATE',
  PATCH: 'PATCH',
  POST: 'CREATE',
  DELETE: 'DELETE',
};

/** `/api/v1/namespaces/a/pods/x/status` -> resource `pods`, url `/api/v1/namespaces/{namespace}/pods/{name}/status`. */
export function requestLabels(method: string, pathAndQuery: string): RequestLabels {
  const [path = '', query = ''] = pathAndQuery.split('?', 2);
  const segments = path.split('/').filter((s) => s !== '');
  const versionAt = segments[0] === 'api' ? 1 : segments[0] === 'apis' ? 2 : undefined;
  if (versionAt === undefined) return { resource: 'none', verb: method === 'GET' ? 'GET' : 'none', url: path };
  const root = segments.slice(0, versionAt + 1);
  const rest = segments.slice(versionAt + 1);
  const watched = rest[0] === 'watch';
  if (watched) rest.shift();
  // A namespace itself is an object of the cluster; what lies below one is not.
  const inNamespace = rest[0] === 'namespaces' && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? '');
  const scope = inNamespace ? ['namespaces', '{namespace}'] : [];
  const [resource, name, ...subresource] = rest.slice(scope.length);
  const parts = [
    ...root,
    ...(watched ? ['watch'] : []),
    ...scope,
    ...(resource === undefined ? [] : [resource]),
    ...(name === undefined ? [] : ['{name}']),
    ...subresource,
  ];
  const watches = watched || query.split('&').includes('watch=true');
  const lists = method === 'GET' && resource !== undefined && name === undefined;
  return {
    resource: resource ?? 'none',
    verb: watches ? 'WATCH' : lists ? 'LIST' : (verbOfMethod[method] ?? 'none'),
    url: `/${parts.join('/')}`,
  };
}

const namespaceSubresources = new Set(['status', 'finalize']);
