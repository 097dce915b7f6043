/** Why an image is not to be had. */
export type PullFailure =
  | 'invalid-name'
  | 'not-found'
  | 'unauthorized'
  | 'unreachable'
  | 'refused'
  | 'digest-mismatch'
  | 'bad-image'
  | 'no-space';

/** An image that cannot be pulled; the message is for the user who named it. */
export class PullError extends Error {
  readonly failure: PullFailure;
  constructor(failure: PullFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PullError';
    this.failure = failure;
  }
}

const OUT_OF_SPACE = new Set(['ENOSPC', 'EDQUOT']);

/** Whether a write failed because the disk, or the user's share of it, is full. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && OUT_OF_SPACE.has((error as NodeJS.ErrnoException).code ?? '');
}
