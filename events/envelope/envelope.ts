/**
 * The messages between relay and functions (design: "On the wire"). Bodies are JSON in UTF-8; `decode.ts` turns bytes into
 * these shapes or throws, `signing.ts` says who sent them.
 */
import type { Action, ActionResult, KindName } from '../../functions/core/action.ts';
import type { ClusterConfiguration } from '../../functions/core/configuration/configuration.ts';
import type { KubeObject } from '../../functions/core/objects.ts';

/** A message of another version is refused whole. */
export const VERSION = 1;

/** The body of `POST /v1/reconcile/<controller>`: a batch of keys, each with the snapshot of all that its controller reads. */
export interface ReconcileRequest {
  readonly version: typeof VERSION;
  /** The uid of the namespace kube-system. */
  readonly cluster: string;
  /** The relay's fencing token. */
  readonly token: number;
  /** The relay's wall clock, milliseconds since the epoch. */
  readonly timeMs: number;
  /** Unique per batch; the same again when the same batch is sent again. Also the id of the signature. */
  readonly deliveryId: string;
  /** The token under which the lists behind these snapshots were made. */
  readonly listedToken: number;
  readonly configuration: ClusterConfiguration;
  /** At most `MAX_BATCH_ITEMS`, no key twice. */
  readonly items: readonly ReconcileItem[];
}

export interface ReconcileItem {
  /** `<namespace>/<name>`, or `<name>`. */
  readonly key: string;
  /** How often the key was delivered without an answer, this time included: 1 at first. */
  readonly attempt: number;
  /** `null`: looked up, not there. */
  readonly primary: KubeObject | null;
  /** Each read of the controller by its name: an array for `many`; an object or `null` (not there) for `one`. */
  readonly reads: Readonly<Record<string, readonly KubeObject[] | KubeObject | null>>;
  /** What became of the actions of the key's last answer. */
  readonly results: readonly ActionResult[];
  /** How far the relay's view of each kind read has come: a resourceVersion by kind name. */
  readonly positions: Readonly<Record<KindName, string>>;
}

export interface ReconcileAnswer {
  readonly version: typeof VERSION;
  /** The request's. */
  readonly deliveryId: string;
  /** The request's. */
  readonly token: number;
  /** One per item of the request, in its order. */
  readonly items: readonly AnswerItem[];
}

export interface AnswerItem {
  readonly key: string;
  readonly outcome: AnswerOutcome;
  /** Applied in order, before the rest of the outcome holds. Empty for `busy` and `left`. */
  readonly actions: readonly Action[];
}

/**
 * - `done`: nothing more until something read changes.
 * - `requeue-after`: deliver again after that time.
 * - `stale`: deliver again when the position of the kind has reached the version, after `afterMs` at the latest.
 * - `busy`: another pass holds the key's state: deliver again soon; no failure.
 * - `retry`: failed; deliver again after that time (the back-off is the function's).
 * - `left`: not looked at, for want of time or room: deliver again; no failure.
 */
export type AnswerOutcome =
  | { readonly type: 'done' }
  | { readonly type: 'requeue-after'; readonly afterMs: number }
  | { readonly type: 'stale'; readonly kind: KindName; readonly resourceVersion: string; readonly afterMs: number }
  | { readonly type: 'busy' }
  | { readonly type: 'retry'; readonly reason: string; readonly afterMs: number }
  | { readonly type: 'left' };

/** The body of `POST /v1/lease`. */
export type LeaseRequest = {
  readonly version: typeof VERSION;
  readonly cluster: string;
  /** New at every start of a relay. */
  readonly holder: string;
  /** The relay's wall clock, milliseconds since the epoch. */
  readonly timeMs: number;
} & (
  | { readonly action: 'acquire'; readonly durationMs: number }
  | {
      readonly action: 'renew';
      readonly token: number;
      readonly durationMs: number;
      /** `visitMark` of the last list of keys that the relay has taken note of: it need not be named again. */
      readonly visitMark?: number;
    }
  | { readonly action: 'release'; readonly token: number }
);

/**
 * - `granted`: the sender holds the lease under that token, for `durationMs` from before it sent the request.
 * - `refused`: somebody else holds it (`holder`), or nobody (a renewal came too late): acquire again after that time.
 * - `released`: nobody holds it under that token any more.
 */
export type LeaseAnswer = { readonly version: typeof VERSION } & (
  | {
      readonly type: 'granted';
      readonly token: number;
      /** The function's clock when it wrote the lease. */
      readonly renewedAtMs: number;
      readonly durationMs: number;
      /** `<controller>/<key>` of keys to be visited, or `*`: all keys of all controllers. */
      readonly visit: readonly string[];
      /** Names that list; each renewal names it anew until it comes back. Absent: there is none. */
      readonly visitMark?: number;
    }
  | { readonly type: 'refused'; readonly holder?: string; readonly retryAfterMs: number }
  | { readonly type: 'released' }
);
