import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '../../../functions/core/objects.ts';

type Stored = KubeObject & { status?: Record<string, unknown> };
const VMI = 'virtualmachineinstances';
const NOW = '2026-01-01T00:00:00Z';

/** What is watched: the paths of the objects in a collection. */
const COLLECTIONS: Readonly<Record<string, RegExp>> = {
  '/api/v1/pods': /\/pods\/[^/]+$/,
  [`/apis/kubevirt.io/v1/${VMI}`]: /\/virtualmachineinstances\/[^/]+$/,
  '/api/v1/persistentvolumeclaims': /\/persistentvolumeclaims\/[^/]+$/,
  '/api/v1/persistentvolumes': /\/persistentvolumes\/[^/]+$/,
  '/apis/storage.k8s.io/v1/storageclasses': /\/storageclasses\/[^/]+$/,
};

/**
 * As much of an API server as the node agent meets: pods, VMIs, claims, volumes, nodes, leases, Secrets and events in memory,
 * with versions, conflicts, watches, finalizers, the three kinds of patches in the form in which the agent sends them, and pods
 * that wait for the agent when they are deleted.
 */
export class ApiServer {
  readonly #objects = new Map<string, Stored>();
  readonly #watches = new Set<Watch>();
  readonly #server = http.createServer((request, response) => void this.#answer(request, response));
  readonly #history: { version: number; key: string; type: string; object: Stored }[] = [];
  #version = 1;

  async listen(): Promise<URL> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  pod(name: string): Stored | undefined {
    return this.#objects.get(`/api/v1/namespaces/default/pods/${name}`);
  }
  vmi(name: string): Stored | undefined {
    return this.#objects.get(`/apis/kubevirt.io/v1/namespaces/default/${VMI}/${name}`);
  }
  node(name: string): Stored | undefined {
    return this.#objects.get(`/api/v1/nodes/${name}`);
  }
  lease(name: string): Stored | undefined {
    return this.#objects.get(`/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`);
  }

  /** Events of the namespace, as far as tests look at them. */
  events(): readonly {
    readonly reason?: string;
    readonly message?: string;
    readonly involvedObject?: { name: string };
  }[] {
    return [...this.#objects].filter(([key]) => key.includes('/events/')).map(([, object]) => object as object);
  }

  /** A Secret with credentials for registries. */
  putPullSecret(name: string, registry: string, username: string, password: string): void {
    const config = JSON.stringify({ auths: { [registry]: { username, password } } });
    const data = { '.dockerconfigjson': Buffer.from(config).toString('base64') };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      type: 'kubernetes.io/dockerconfigjson',
      data,
    };
    this.#put(`/api/v1/namespaces/default/secrets/${name}`, secret);
  }

  /** Of all objects, oldest first. */
  paths(): readonly string[] {
    return [...this.#objects.keys()];
  }
  /** Any other object, by its path. */
  get(path: string): Stored | undefined {
    return this.#objects.get(path);
  }
  put(path: string, object: KubeObject): void {
    this.#put(path, object);
  }
  /** Deletes an object; one with finalizers is marked. */
  delete(path: string): void {
    const object = this.#objects.get(path);
    if ((object?.metadata.finalizers ?? []).length === 0) this.#remove(path);
    else this.#put(path, { ...object, metadata: { ...object?.metadata, deletionTimestamp: NOW } } as Stored);
  }

  putPod(pod: KubeObject): void {
    this.#put(`/api/v1/namespaces/default/pods/${pod.metadata.name}`, pod);
  }
  putVmi(vmi: KubeObject): void {
    this.#put(`/apis/kubevirt.io/v1/namespaces/default/${VMI}/${vmi.metadata.name}`, vmi);
  }
  /** Asks for the deletion of a pod, as `kubectl delete` does. */
  deletePod(name: string, deletionTimestamp: string): void {
    const pod = this.pod(name);
    if (pod !== undefined) this.putPod({ ...pod, metadata: { ...pod.metadata, deletionTimestamp } });
  }
  /** Takes a pod away without the agent, as `kubectl delete --force` does. */
  removePod(name: string): void {
    this.#remove(`/api/v1/namespaces/default/pods/${name}`);
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://api');
    let text = '';
    for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
    const [status, body] = this.#handle(
      request.method ?? '',
      url,
      text === '' ? undefined : JSON.parse(text),
      response,
    );
    if (body === 'watching') return;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #handle(method: string, url: URL, body: unknown, response: http.ServerResponse): [number, unknown] {
    const path = url.pathname.replace(/\/status$/, '');
    const collection = COLLECTIONS[path];
    if (method === 'GET' && collection !== undefined) {
      if (url.searchParams.has('watch')) {
        response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        const watch = { prefix: collection, response };
        this.#watches.add(watch);
        const since = Number(url.searchParams.get('resourceVersion'));
        for (const event of this.#history) if (event.version > since) send(watch, event.key, event.type, event.object);
        response.on('close', () => this.#watches.delete(watch));
        return [200, 'watching'];
      }
      const items = [...this.#objects].filter(([key]) => collection.test(key)).map(([, object]) => object);
      return [200, { metadata: { resourceVersion: String(this.#version) }, items }];
    }
    const now = this.#objects.get(path);
    switch (method) {
      case 'POST': {
        const object = body as Stored;
        const key = `${path}/${object.metadata.name}`;
        return this.#objects.has(key) ? [409, { message: 'exists' }] : [201, this.#put(key, object)];
      }
      case 'PUT': {
        const object = body as Stored;
        if (now?.metadata.resourceVersion !== object.metadata.resourceVersion) return [409, { message: 'conflict' }];
        return [200, this.#put(path, object)];
      }
      case 'PATCH': {
        if (now === undefined) return [404, { message: 'not found' }];
        return Array.isArray(body) ? [200, this.#put(path, jsonPatched(now, body))] : this.#merge(path, now, body);
      }
      case 'DELETE':
        this.delete(path);
        return [200, {}];
      default:
        return now === undefined ? [404, { message: 'not found' }] : [200, now];
    }
  }

  #merge(path: string, now: Stored, body: unknown): [number, unknown] {
    const patch = body as { metadata?: { uid?: string } };
    if (patch.metadata?.uid !== undefined && patch.metadata.uid !== now.metadata.uid) return [409, { message: 'uid' }];
    return [200, this.#put(path, merged(now, patch) as Stored)];
  }

  #put(key: string, object: KubeObject): Stored {
    const type = this.#objects.has(key) ? 'MODIFIED' : 'ADDED';
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
    this.#objects.set(key, stored);
    this.#notify(key, type, stored);
    if (type === 'MODIFIED' && stored.metadata.finalizers?.length === 0 && stored.metadata.deletionTimestamp) {
      this.#remove(key);
    }
    return stored;
  }

  #remove(key: string): void {
    const object = this.#objects.get(key);
    this.#objects.delete(key);
    this.#version++;
    if (object !== undefined) this.#notify(key, 'DELETED', object);
  }

  #notify(key: string, type: string, object: Stored): void {
    this.#history.push({ version: this.#version, key, type, object });
    for (const watch of this.#watches) send(watch, key, type, object);
  }
}

interface Watch {
  readonly prefix: RegExp;
  readonly response: http.ServerResponse;
}

function send({ prefix, response }: Watch, key: string, type: string, object: Stored): void {
  if (prefix.test(key)) response.write(`${JSON.stringify({ type, object })}\n`);
}

/** A strategic merge: conditions by their type, other lists as a whole, null removes. */
function merged(now: unknown, patch: unknown): unknown {
  if (Array.isArray(patch)) {
    const keyed = patch.every((item) => typeof item === 'object' && item !== null && 'lastTransitionTime' in item);
    if (!keyed || !Array.isArray(now)) return patch.map((item: unknown) => merged(undefined, item));
    const conditions = new Map((now as { type: string }[]).map((c) => [c.type, c]));
    for (const c of patch as { type: string }[]) {
      conditions.set(c.type, merged(conditions.get(c.type), c) as { type: string });
    }
    return [...conditions.values()];
  }
  if (typeof patch !== 'object' || patch === null) return patch;
  const result: Record<string, unknown> = { ...(now as Record<string, unknown> | undefined) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

/** Replacements and removals of members that are there, which is all that the agent sends. */
function jsonPatched(now: Stored, operations: readonly { op: string; path: string; value?: unknown }[]): Stored {
  const result = structuredClone(now);
  for (const { op, path, value } of operations) {
    if (op === 'test') continue;
    const names = path
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/'));
    const last = names.pop() ?? '';
    let holder = result as unknown as Record<string, unknown>;
    for (const name of names) holder = holder[name] as Record<string, unknown>;
    if (op === 'remove') delete holder[last];
    else holder[last] = value;
  }
  return result;
}
