/**
 * What a pass can't decide by itself, because all keys of the cluster share it. A controller that comes to such a point
 * returns an outcome of type `needs` and is called once more, with the same snapshot and with `context.grants`. Whoever needs
 * nothing costs nothing.
 */
export interface Needs {
  readonly vsock?: VsockNeed;
  readonly migrationSlot?: SlotNeed;
}

/** A VSOCK context id of the cluster for the primary (vmi.md 11.2). */
export interface VsockNeed {
  /** Ids that objects of the cluster bear, whatever the table knows of them. */
  readonly inUse: readonly number[];
}

/** Leave for the primary, a migration, to create its target pod (migration.md 4.4). */
export interface SlotNeed {
  /** The source's node. */
  readonly node: string;
  /** Migrations that the snapshot shows as running. */
  readonly running: readonly { readonly uid: string; readonly node: string }[];
  /** Uids of all migrations that the snapshot shows as not final, running or not. */
  readonly unfinished: readonly string[];
  readonly limits: SlotLimits;
}

export interface SlotLimits {
  readonly perCluster: number;
  /** Outbound, of one node. */
  readonly perNode: number;
}

/** One answer for each need. */
export interface Grants {
  readonly vsock?: VsockGrant;
  readonly migrationSlot?: SlotGrant;
}

export type VsockGrant =
  | { readonly type: 'granted'; readonly id: number }
  /** All ids that were tried are taken. */
  | { readonly type: 'exhausted' };

export type SlotGrant =
  /** Given back at once if the outcome creates nothing. */
  { readonly type: 'admitted' } | { readonly type: 'full'; readonly limit: keyof SlotLimits };
