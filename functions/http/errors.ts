/** The batch was sent under a token that is not the lease's: its sender may not act any more. */
export class StaleTokenError extends Error {
  override readonly name = 'StaleTokenError';
}
