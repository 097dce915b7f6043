/** The body of every answer that is not 2xx (RFC 9457, `application/problem+json`). Nothing was done. */
export interface Problem {
  readonly type: ProblemType;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
}

/**
 * | type | status | means for the sender |
 * |---|---|---|
 * | `bad-signature` | 401 | keys or clocks differ |
 * | `stale-token` | 409 | the lease is someone else's: stop acting |
 * | `too-large` | 413 | send less at once |
 * | `malformed`, `unknown-version` | 400 | relay and function don't fit together |
 * | `not-found` | 404 | no such controller here |
 * | `unavailable` | 503 | the table can't be read: send again later |
 * | `internal` | 500 | a defect of the function |
 */
export type ProblemType =
  | 'bad-signature'
  | 'stale-token'
  | 'too-large'
  | 'malformed'
  | 'unknown-version'
  | 'not-found'
  | 'unavailable'
  | 'internal';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
