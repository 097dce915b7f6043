/** The relay's HTTP servers: the one place of it that listens. */
import type { Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Log } from '../ports.ts';
import { type CertificateFiles, followCertificate, readCertificate } from './certificate-files.ts';
import type { TlsSettings } from './tls-settings.ts';

/** Longer than scrapers and probes keep theirs open, so that it is never the server who closes a connection about to be used. */
const KEEP_ALIVE_MS = 75_000;
const LOOPBACK = '127.0.0.1';
const EVERYWHERE = '0.0.0.0';

export interface ListenerOptions {
  /** Absent: every address with TLS, the loopback interface without. */
  readonly listen: string | undefined;
  /** TLS is spoken if both files are there at the start. */
  readonly files: CertificateFiles;
  /** How often the files are looked at; absent: 10 s. */
  readonly lookEveryMs?: number;
  readonly log: Log;
}

/** Servers that share an address and a certificate. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #servers: Server[] = [];
  readonly #certificate;
  #settings: TlsSettings = { minVersion: 'TLSv1.2' };
  #unfollow: () => void = () => undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#certificate = readCertificate(options.files);
    if (this.#certificate !== undefined)
      this.#unfollow = followCertificate(options.files, options.lookEveryMs ?? 10_000, () => this.#renew());
  }

  get scheme(): 'http' | 'https' {
    return this.#certificate === undefined ? 'http' : 'https';
  }

  get address(): string {
    return this.#options.listen ?? (this.#certificate === undefined ? LOOPBACK : EVERYWHERE);
  }

  /** Serves the routes on a port (0: any free one); resolves with the port, rejects if it can't be had. */
  async serve(app: Hono, port: number): Promise<number> {
    const { promise: bound, resolve, reject } = Promise.withResolvers<AddressInfo>();
    const plain = { fetch: app.fetch, hostname: this.address, port };
    const tls = { createServer: createTlsServer, serverOptions: { ...this.#certificate, ...this.#settings } };
    const server = serve(this.#certificate === undefined ? plain : { ...plain, ...tls }, resolve) as Server;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.headersTimeout = KEEP_ALIVE_MS + 5_000;
    server.once('error', reject);
    this.#servers.push(server);
    return (await bound).port;
  }

  /** Versions and ciphers for connections from now on. */
  configure(settings: TlsSettings): void {
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings;
    this.#renew();
  }

  close(): void {
    this.#unfollow();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  /** Connections from now on get the files' certificate; a pair that is not whole, or does not fit, leaves the old one. */
  #renew(): void {
    if (this.#certificate === undefined) return;
    try {
      const certificate = readCertificate(this.#options.files);
      if (certificate === undefined) return;
      for (const server of this.#servers)
        (server as unknown as TlsServer).setSecureContext({ ...certificate, ...this.#settings });
    } catch (e) {
      this.#options.log.warn('the certificate was not taken', { error: String(e) });
    }
  }
}
