import type { ReadyImage } from '../images/image-source.ts';
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
  /** Absent until the hypervisor has said that the guest runs. */
  readonly machineType?: string;
}
