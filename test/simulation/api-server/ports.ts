/** What the model needs of the world, and what it is asked and answers. */
import type { ApiObject } from './objects.ts';

export interface ApiServerPorts {
  /** Virtual wall time, milliseconds since the epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1), seeded: suffixes of generated names. */
  readonly random: () => number;
  /** Seeded. */
  readonly uuid: () => string;
}

export interface ApiRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  /** As JSON: decoded, or a text still to be decoded. */
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface ApiResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Frozen; health end points answer with a text. */
  readonly body: unknown;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly object: ApiObject }
  | { readonly type: 'ERROR'; readonly object: StatusObject };

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusObject {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, string>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}
