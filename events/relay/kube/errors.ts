/** The API server answered, and refused. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly code: number;
  /** Machine-readable reason of the Status object, such as `AlreadyExists`; empty if it gave none. */
  readonly reason: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: number, reason: string, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer: refused connection, reset, time limit. A write may have happened all the same. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}
