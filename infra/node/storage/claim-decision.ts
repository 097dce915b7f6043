import { quantity } from '../launcher/quantity.ts';
import type { Claim, PersistentVolume, StorageClass } from './objects.ts';
import { PROVISIONER, SELECTED_NODE, STORAGE_PROVISIONER, WAIT_FOR_FIRST_CONSUMER } from './provisioner.ts';

/** What the driver has to do for a claim. */
export type ClaimDecision =
  /** Nothing, or nothing now. */
  | { readonly type: 'none' }
  | { readonly type: 'provision'; readonly storageClass: StorageClass; readonly bytes: number }
  /** It cannot be had as it is, whenever and wherever. */
  | { readonly type: 'refuse'; readonly message: string }
  | { readonly type: 'refuse-growth'; readonly message: string };

export interface ClaimSituation {
  readonly nodeName: string;
  readonly claim: Claim;
  readonly storageClass: StorageClass | undefined;
  /** The volume that the claim names, if it is this node's. */
  readonly volume: PersistentVolume | undefined;
}

/** A file is one node's, and one machine at a time has it. */
const ACCESS_MODES: ReadonlySet<string> = new Set(['ReadWriteOnce', 'ReadWriteOncePod']);
const VOLUME_MODES: ReadonlySet<string> = new Set(['Filesystem', 'Block']);

export function decideClaim(situation: ClaimSituation): ClaimDecision {
  const { claim, storageClass, nodeName } = situation;
  if (claim.metadata.deletionTimestamp !== undefined) return { type: 'none' };
  if ((claim.spec.volumeName ?? '') !== '') return decideGrowth(situation);
  const { annotations } = claim.metadata;
  if (storageClass?.provisioner !== PROVISIONER || annotations?.[STORAGE_PROVISIONER] !== PROVISIONER) {
    return { type: 'none' };
  }
  const selected = annotations[SELECTED_NODE];
  const waits = storageClass.volumeBindingMode === WAIT_FOR_FIRST_CONSUMER;
  if (waits ? selected !== nodeName : selected !== undefined && selected !== nodeName) return { type: 'none' };
  const message = whyNot(claim, storageClass);
  if (message !== undefined) return { type: 'refuse', message };
  return { type: 'provision', storageClass, bytes: requested(claim) };
}

function whyNot({ spec }: Claim, storageClass: StorageClass): string | undefined {
  const mode = spec.accessModes?.find((m) => !ACCESS_MODES.has(m));
  if (mode !== undefined) return `access mode ${mode} is not offered: a local volume is one node's`;
  if (!VOLUME_MODES.has(spec.volumeMode ?? 'Filesystem')) return `volume mode ${spec.volumeMode} is not offered`;
  if (spec.selector !== undefined) return 'a selector is not offered: each volume is made for its claim';
  if ((spec.dataSource ?? spec.dataSourceRef ?? undefined) !== undefined) return 'a data source is not offered';
  if (Object.keys(storageClass.parameters ?? {}).length > 0) return 'parameters of the storage class are not offered';
  if ((storageClass.mountOptions ?? []).length > 0) return 'mount options are not offered';
  const waits = storageClass.volumeBindingMode === WAIT_FOR_FIRST_CONSUMER;
  if (!waits && (storageClass.allowedTopologies ?? []).length > 0) {
    return `allowed topologies are offered with binding mode ${WAIT_FOR_FIRST_CONSUMER} only`;
  }
  return undefined;
}

function decideGrowth({ claim, volume }: ClaimSituation): ClaimDecision {
  const capacity = volume?.spec.capacity?.storage;
  if (capacity === undefined || requested(claim) <= quantity(capacity)) return { type: 'none' };
  return { type: 'refuse-growth', message: 'a local volume keeps its size' };
}

function requested({ spec }: Claim): number {
  return Math.ceil(quantity(spec.resources?.requests?.storage ?? '0'));
}
