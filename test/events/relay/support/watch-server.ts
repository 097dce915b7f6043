import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { KubeObject } from '../../../../functions/core/objects.ts';

interface Happened {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** A small API server of one kind on a real socket: lists, and watches from any version on. */
export class WatchServer {
  readonly port: number;
  readonly watches = new Set<ServerResponse>();
  /** How often a list, and a watch, was asked for. */
  lists = 0;
  opened = 0;
  /** What becomes of a watch that is asked for; `undefined`: it is served. */
  instead: (response: ServerResponse) => boolean = () => false;
  readonly #server: Server;
  readonly #objects = new Map<string, KubeObject>();
  readonly #history: Happened[] = [];
  #version = 100;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response: ServerResponse) => {
      const query = new URL(request.url ?? '', 'http://server').searchParams;
      response.setHeader('content-type', 'application/json');
      if (query.get('watch') === 'true') this.#watch(Number(query.get('resourceVersion')), response);
      else {
        this.lists++;
        response.end(
          JSON.stringify({ metadata: { resourceVersion: String(this.#version) }, items: [...this.#objects.values()] }),
        );
      }
    });
  }

  static async start(): Promise<WatchServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new WatchServer(server);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  put(object: KubeObject): void {
    const type = this.#objects.has(object.metadata.name) ? 'MODIFIED' : 'ADDED';
    const stored = this.#stored(object);
    this.#objects.set(object.metadata.name, stored);
    this.#happened({ type, object: stored });
  }

  delete(name: string): void {
    const object = this.#objects.get(name);
    if (object === undefined) return;
    this.#objects.delete(name);
    this.#happened({ type: 'DELETED', object: this.#stored(object) });
  }

  #stored(object: KubeObject): KubeObject {
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
  }

  #happened(event: Happened): void {
    this.#history.push(event);
    for (const response of this.watches) response.write(`${JSON.stringify(event)}\n`);
  }

  #watch(from: number, response: ServerResponse): void {
    this.opened++;
    if (this.instead(response)) return;
    response.flushHeaders();
    for (const event of this.#history) {
      if (Number(event.object.metadata.resourceVersion) > from) response.write(`${JSON.stringify(event)}\n`);
    }
    this.watches.add(response);
    response.on('close', () => this.watches.delete(response));
  }
}

/** A kubeconfig of a server that asks for no credentials. */
export function plainKubeConfig(port: number): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'c', server: `http://127.0.0.1:${port}`, skipTLSVerify: true }],
    users: [{ name: 'u' }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  return config;
}
