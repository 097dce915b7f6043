import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sha256, type TestLayer } from './test-image.ts';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';

export type Access =
  | { readonly type: 'open' }
  | { readonly type: 'basic' | 'token'; readonly username: string; readonly password: string }
  | { readonly type: 'forbidden' };

/** What goes wrong with a blob. */
export type Fault =
  /** Other bytes, which decompress. */
  | { readonly type: 'replaced'; readonly by: Buffer }
  /** The connection breaks after half of it. */
  | { readonly type: 'cut' }
  /** Half of it, and the answer says that this is all. */
  | { readonly type: 'short' }
  /** Half of it, and then nothing. */
  | { readonly type: 'stalled' }
  /** Small pieces with pauses. */
  | { readonly type: 'slow'; readonly pauseMs: number }
  /** From another address. */
  | { readonly type: 'redirected'; readonly to: string };

/** A registry on this machine, with what can go wrong with one. */
export class RegistryServer {
  readonly #server = http.createServer((request, response) => this.#answer(request, response));
  readonly #blobs = new Map<string, Buffer>();
  /** By repository and tag or digest. */
  readonly #manifests = new Map<string, { readonly type: string; readonly bytes: Buffer }>();
  readonly faults = new Map<string, Fault>();
  access: Access = { type: 'open' };
  /** Paths asked for, in order. */
  readonly log: string[] = [];

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Digest of the manifest; it is to be had by that, and by the tag. */
  addImage(repository: string, tag: string, layers: readonly TestLayer[], diffIds?: readonly string[]): string {
    const config = Buffer.from(
      JSON.stringify({
        os: 'linux',
        architecture: 'amd64',
        rootfs: { type: 'layers', diff_ids: diffIds ?? layers.map((l) => sha256(l.tar)) },
      }),
    );
    for (const { blob } of layers) this.#blobs.set(sha256(blob), blob);
    this.#blobs.set(sha256(config), config);
    const manifest = {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: { mediaType: CONFIG, digest: sha256(config), size: config.length },
      layers: layers.map(({ mediaType, blob }) => ({ mediaType, digest: sha256(blob), size: blob.length })),
    };
    return this.addManifest(repository, tag, MANIFEST, manifest);
  }

  /** An index of images by architecture. */
  addIndex(repository: string, tag: string, byArchitecture: Readonly<Record<string, string>>): string {
    const manifests = Object.entries(byArchitecture).map(([architecture, digest]) => ({
      mediaType: MANIFEST,
      digest,
      size: this.#manifests.get(`${repository} ${digest}`)?.bytes.length ?? 0,
      platform: { os: 'linux', architecture },
    }));
    return this.addManifest(repository, tag, INDEX, { schemaVersion: 2, mediaType: INDEX, manifests });
  }

  addManifest(repository: string, tag: string, type: string, manifest: unknown): string {
    const bytes = Buffer.from(JSON.stringify(manifest));
    for (const name of [tag, sha256(bytes)]) this.#manifests.set(`${repository} ${name}`, { type, bytes });
    return sha256(bytes);
  }

  /** Has a name lead to another manifest's bytes. */
  swap(repository: string, name: string, by: string): void {
    const other = this.#manifests.get(`${repository} ${by}`);
    if (other !== undefined) this.#manifests.set(`${repository} ${name}`, other);
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const url = new URL(request.url ?? '', `http://${this.host}`);
    this.log.push(url.pathname);
    if (url.pathname === '/token') this.#token(request, url, response);
    else if (this.#isAllowed(request.headers.authorization)) this.#serve(url.pathname, response);
    else this.#deny(response);
  }

  #isAllowed(authorization: string | undefined): boolean {
    const { access } = this;
    if (access.type === 'open') return true;
    if (access.type === 'basic') return authorization === basic(access);
    return access.type === 'token' && authorization === 'Bearer granted';
  }

  #deny(response: http.ServerResponse): void {
    const { access } = this;
    const realm = `realm="http://${this.host}/token",service="test",scope="repository:any:pull"`;
    if (access.type === 'basic') response.setHeader('www-authenticate', 'Basic realm="test"');
    if (access.type === 'token') response.setHeader('www-authenticate', `Bearer ${realm}`);
    const code = access.type === 'forbidden' ? 403 : 401;
    refuse(response, code, code === 401 ? 'authentication required' : 'denied by policy');
  }

  #token(request: http.IncomingMessage, url: URL, response: http.ServerResponse): void {
    const { access } = this;
    const asked = url.searchParams.get('service') === 'test' && url.searchParams.get('scope') === 'repository:any:pull';
    const known = access.type === 'token' && request.headers.authorization === basic(access);
    if (asked && known) response.end(JSON.stringify({ token: 'granted' }));
    else refuse(response, 401, 'wrong user or password');
  }

  #serve(path: string, response: http.ServerResponse): void {
    const [, repository = '', kind, name = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(path) ?? [];
    const manifest = this.#manifests.get(`${repository} ${name}`);
    if (kind === 'manifests' && manifest !== undefined) {
      response.writeHead(200, { 'content-type': manifest.type }).end(manifest.bytes);
      return;
    }
    const blob = this.#blobs.get(name);
    if (kind === 'blobs' && blob !== undefined) void this.#serveBlob(name, blob, response);
    else refuse(response, 404, kind === 'blobs' ? 'blob unknown' : 'manifest unknown');
  }

  async #serveBlob(digest: string, blob: Buffer, response: http.ServerResponse): Promise<void> {
    const fault = this.faults.get(digest);
    const half = blob.subarray(0, blob.length / 2);
    switch (fault?.type) {
      case undefined:
        response.writeHead(200, { 'content-length': blob.length }).end(blob);
        return;
      case 'replaced':
        response.writeHead(200).end(fault.by);
        return;
      case 'short':
        response.writeHead(200, { 'content-length': half.length }).end(half);
        return;
      case 'cut':
        response.writeHead(200, { 'content-length': blob.length }).write(half, () => response.destroy());
        return;
      case 'stalled':
        response.writeHead(200, { 'content-length': blob.length }).write(half);
        return;
      case 'redirected':
        response.writeHead(307, { location: fault.to }).end();
        return;
      case 'slow': {
        response.writeHead(200, { 'content-length': blob.length });
        const step = Math.ceil(blob.length / 5);
        for (let at = 0; at < blob.length; at += step) {
          response.write(blob.subarray(at, at + step));
          await new Promise((resolve) => setTimeout(resolve, fault.pauseMs));
        }
        response.end();
      }
    }
  }
}

function basic({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function refuse(response: http.ServerResponse, code: number, message: string): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code: 'TEST', message }] }));
}
