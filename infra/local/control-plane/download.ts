/** Downloads of files that are published with a checksum. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, fetch, type Response } from 'undici';

export interface Checksum {
  readonly algorithm: 'sha256' | 'sha512';
  /** Lower-case hexadecimal. */
  readonly hex: string;
}

/** The server can't be reached, has no such file, or what came is not what its checksum says. One line. */
export class DownloadFailed extends Error {
  constructor(url: string, reason: string, cause?: unknown) {
    super(`${url}: ${reason}`, { cause });
    this.name = 'DownloadFailed';
  }
}

/** Where there is no network this must be known soon; a slow network has long enough limits once it has answered. */
const connectLimitMs = 2_500;
const firstAnswerLimitMs = 3_000;
const silenceLimitMs = 20_000;

/** Follows HTTPS_PROXY and NO_PROXY. */
const dispatcher = new EnvHttpProxyAgent({
  connect: { timeout: connectLimitMs },
  headersTimeout: silenceLimitMs,
  bodyTimeout: silenceLimitMs,
});

/**
 * A small text file, a published checksum for instance.
 *
 * @throws DownloadFailed within seconds where the network is not reachable.
 */
export async function downloadText(url: string): Promise<string> {
  const response = await get(url, AbortSignal.timeout(firstAnswerLimitMs));
  try {
    return await response.text();
  } catch (error) {
    throw new DownloadFailed(url, 'broke off', error);
  }
}

/**
 * Downloads into `file`, which appears only when all of it is there and its checksum is right.
 *
 * @param onBytes called with the bytes so far and, where the server says it, of how many.
 * @throws DownloadFailed
 */
export async function download(
  url: string,
  checksum: Checksum,
  file: string,
  onBytes: (bytes: number, total: number | undefined) => void,
): Promise<void> {
  const response = await get(url);
  const total = Number(response.headers.get('content-length')) || undefined;
  const partial = `${file}.${process.pid}.part`;
  const hash = createHash(checksum.algorithm);
  let bytes = 0;
  try {
    if (!response.body) throw new DownloadFailed(url, 'has no content');
    await pipeline(
      Readable.fromWeb(response.body),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          onBytes(bytes, total);
          yield chunk;
        }
      },
      createWriteStream(partial, { mode: 0o755 }),
    );
    if (hash.digest('hex') !== checksum.hex) throw new DownloadFailed(url, 'does not match its checksum');
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error instanceof DownloadFailed ? error : new DownloadFailed(url, `broke off after ${bytes} bytes`, error);
  }
}

async function get(url: string, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { dispatcher, ...(signal ? { signal } : {}) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new DownloadFailed(url, `not reachable (${cause instanceof Error ? cause.message : String(cause)})`, error);
  }
  if (response.ok) return response;
  await response.body?.cancel();
  throw new DownloadFailed(url, `answered ${response.status}`);
}
