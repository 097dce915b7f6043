/**
 * Signs requests to function URLs with AWS's own signature (SigV4), for addresses that are open to roles only. Loaded where it is
 * wanted: the chain of credentials is large.
 */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Clock, HttpRequest } from '../ports.ts';

/** Headers of a request, its own included, that carry the signature as well. */
export type SignRequest = (request: HttpRequest) => Promise<Readonly<Record<string, string>>>;

const SERVICE = 'lambda';

/**
 * A signer for the functions at an origin. Credentials come from the usual chain: environment, a web identity (IRSA), Pod Identity,
 * the instance; they are asked for at the first request and again before they end. Throws where no region can be told: neither by
 * the address, nor by `AWS_REGION`.
 */
export function awsSigner(origin: string, clock: Clock): SignRequest {
  const { host, protocol } = new URL(origin);
  const signer = new SignatureV4({
    service: SERVICE,
    region: regionOf(origin),
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  return async ({ method, path, headers, body }) => {
    const [pathname = '/', query = ''] = path.split('?', 2);
    const signed = await signer.sign(
      {
        method,
        protocol,
        hostname: host,
        path: pathname,
        query: Object.fromEntries(new URLSearchParams(query)),
        headers: { ...headers, host },
        body,
      },
      { signingDate: new Date(clock.now()) },
    );
    return signed.headers;
  };
}

function regionOf(origin: string): string {
  const region =
    /\.lambda-url\.([a-z0-9-]+)\.on\.aws$/.exec(new URL(origin).hostname)?.[1] ?? process.env['AWS_REGION'];
  if (region === undefined) throw new Error(`${origin} names no region, and AWS_REGION is not set`);
  return region;
}

/** SHA-256, or HMAC with it, in the form that the signer wants. */
class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, 'utf8');
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return new Uint8Array(data);
}
