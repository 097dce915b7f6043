import type { ClusterConfiguration } from './configuration/configuration.ts';
import type { Kind } from './kind.ts';
import type { KubeObject } from './objects.ts';
import type { Read } from './reads.ts';

// A read's functions take the controller's own primary; the table of reads is therefore not uniform in it.
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Reads<P extends KubeObject> = Record<string, Read<any, P>>;

/** Objects of another kind that call for a visit of keys though nothing bears the key's name (VMI -> its node). */
export interface KeySource<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  readonly keysOf: (object: T) => readonly string[];
}

export function keysFrom<T extends KubeObject>(kind: Kind<T>, keysOf: (object: T) => readonly string[]): KeySource {
  return { kind, keysOf } as unknown as KeySource;
}

/** What a controller is, apart from its decisions: the one file of it that the relay imports (`reads.ts`). */
export interface Controller<P extends KubeObject = KubeObject, R extends Reads<P> = Reads<P>> {
  /** Last segment of its path on the wire, and part of its rows' keys in the table. */
  readonly name: string;
  readonly primary: Kind<P>;
  /** Keys in flight at most (runtime.md 9, `--<name>-controller-threads`). */
  readonly concurrency: number;
  /** `source.component` of its events (runtime.md 10.1). */
  readonly eventSource: string;
  /** Controllers of the same recorder have their events counted up together (runtime.md 10.1); absent: its own, by its name. */
  readonly eventRecorder?: string;
  /** Every key is visited again after this time; absent: 12 to 24 h, drawn once per process (runtime.md 4.1). */
  readonly visitEveryMs?: number;
  /** Label `name` of its queue's metrics (runtime.md 2.4); absent: `virt-controller-<name>`. */
  readonly queueName?: string;
  readonly reads: R;
  /** What of the primary enters the snapshot. A change outside it enqueues nothing. Keep `metadata.name`, `uid`, `resourceVersion`. */
  readonly project?: (primary: P) => P;
  /**
   * Where keys without a primary come from. Such a key is visited when an object begins to yield it; what comes after
   * that, as all that concerns keys with a primary, is told by the reads' subscriptions.
   */
  readonly keys?: readonly KeySource[];
  /** All keys are visited when this part of the cluster's configuration changes. Compared as JSON; absent: never. */
  readonly revisitWhen?: (configuration: ClusterConfiguration) => unknown;
}

export function defineController<P extends KubeObject, R extends Reads<P>>(
  controller: Controller<P, R>,
): Controller<P, R> {
  return controller;
}

/** The snapshot that a controller's reads make: for each read its objects, or its object. */
export interface SnapshotOf<C> {
  /** `<namespace>/<name>`, or `<name>`. */
  readonly key: string;
  /** `undefined`: looked up, not there. */
  readonly primary: C extends Controller<infer P, infer _R> ? P | undefined : never;
  readonly reads: C extends Controller<infer _P, infer R>
    ? {
        readonly [K in keyof R]: R[K] extends Read<infer T, infer _Q, infer M>
          ? M extends true
            ? readonly T[]
            : T | undefined
          : never;
      }
    : never;
}

/** A controller of any kind, for code that treats them all alike (the relay, the functions' host). */
// oxlint-disable-next-line typescript/no-explicit-any -- what differs between controllers is what is forgotten here
export function anyController(controller: Controller<any, any>): Controller {
  return controller as Controller;
}
