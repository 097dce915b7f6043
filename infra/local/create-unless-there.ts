import { ApiError, type KubeRequest } from './kube-client.ts';

/**
 * Creates an object, or leaves the one of its name as it is. A kind that has just been established asks to come again while its
 * storage starts, which `KubeRequest` does.
 */
export async function createUnlessThere(request: KubeRequest, into: string, object: object): Promise<void> {
  try {
    await request('POST', into, object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
  }
}
