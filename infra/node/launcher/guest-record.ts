import type { GuestDisk } from '../hypervisor/guest-definition.ts';
import type { ReadyImage } from '../images/image-source.ts';
import type { ClaimDisk } from '../storage/claim-disk.ts';
import type { Outcome } from './outcome.ts';

/** What the agent must know of a launcher pod over its own restarts. Times in milliseconds since the epoch. */
export interface GuestRecord {
  readonly namespace: string;
  readonly podName: string;
  readonly podUid: string;
  readonly vmiName: string;
  readonly vmiUid: string;
  /** Name of the guest at the hypervisor. */
  readonly domain: string;
  readonly podIp: string;
  /** Of containerDisks, by the volume's name. */
  readonly images: Readonly<Record<string, ReadyImage>>;
  /** Of the pod's claims, by the volume's name. */
  readonly claims: Readonly<Record<string, ClaimDisk>>;
  /** Disks that were plugged in while the guest ran, by the volume's name: noted before that is done, until they are out. */
  readonly plugged: Readonly<Record<string, PluggedVolume>>;
  readonly start?: StartedRecord;
  /** When the guest was asked to shut down: an order of ours, so that its end is no failure. */
  readonly shutdownOrderedAtMs?: number;
  readonly outcome?: Outcome;
  /** Whether pod and VMI show the outcome, and the hypervisor has forgotten the guest. */
  readonly reported?: boolean;
}

export interface StartedRecord {
  readonly graceSeconds: number;
  readonly interfaces: readonly { readonly name: string; readonly mac: string }[];
  readonly migratable: boolean;
  /** The disks' names at the hypervisor, by the volume's; absent in records of earlier versions. */
  readonly targets?: Readonly<Record<string, string>>;
  /** Absent until the hypervisor has said that the guest runs. */
  readonly machineType?: string;
}

export interface PluggedVolume {
  readonly claim: ClaimDisk;
  readonly disk: GuestDisk;
}
