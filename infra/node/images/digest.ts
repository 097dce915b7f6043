import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { PullError } from './pull-error.ts';

const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

/** `sha256:<hex>` or `sha512:<hex>`. */
export function isDigest(text: unknown): text is string {
  return typeof text === 'string' && DIGEST.test(text);
}

/** Throws a {@link PullError} when the bytes are not those that the digest names. */
export function checkDigest(what: string, bytes: Uint8Array, digest: string): void {
  const found = digestOf(bytes, algorithmOf(digest));
  if (found !== digest) throw mismatch(what, digest, found);
}

export function digestOf(bytes: Uint8Array, algorithm = 'sha256'): string {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
}

/** Lets bytes through, and fails at their end when they are not those that the digest names, or not as many as expected. */
export function digestCheck(what: string, digest: string, expectedBytes?: number): Transform {
  const algorithm = algorithmOf(digest);
  const hash = createHash(algorithm);
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      if (expectedBytes !== undefined && bytes > expectedBytes) done(wrongLength(what, expectedBytes, 'more'));
      else done(undefined, chunk);
    },
    flush(done) {
      if (expectedBytes !== undefined && bytes < expectedBytes) {
        done(wrongLength(what, expectedBytes, `only ${bytes}`));
        return;
      }
      const found = `${algorithm}:${hash.digest('hex')}`;
      done(found === digest ? null : mismatch(what, digest, found));
    },
  });
}

function algorithmOf(digest: string): string {
  return digest.slice(0, digest.indexOf(':'));
}

function mismatch(what: string, wanted: string, found: string): PullError {
  return new PullError('digest-mismatch', `${what} has the wrong digest: ${found} came instead of ${wanted}`);
}

function wrongLength(what: string, expected: number, came: string): PullError {
  return new PullError('digest-mismatch', `${what} should have ${expected} bytes, ${came} came`);
}
