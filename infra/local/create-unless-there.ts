import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type KubeRequest } from './kube-client.ts';

const retryMs = 100;
const storageRetries = 100;

/**
 * Creates an object, or leaves the one of its name as it is. A kind that has just been established answers "too many requests"
 * while its storage starts: then again.
 */
export async function createUnlessThere(request: KubeRequest, into: string, object: object): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await request('POST', into, object);
      return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason === 'AlreadyExists') return;
      if (error.status !== 429 || attempt === storageRetries) throw error;
      await sleep(retryMs);
    }
  }
}
