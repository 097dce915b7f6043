/**
 * What the node agent needs of a hypervisor. Lists are truth, events are hints: {@link Hypervisor.onHint} only says that it is
 * worth listing again.
 */
import type { GuestDefinition, GuestDisk } from './guest-definition.ts';

export type HypervisorKind = 'libvirt-kvm' | 'libvirt-qemu' | 'simulated';

/**
 * State of a guest.
 *
 * - `running`, `paused`: its machine exists.
 * - `crashed`: its operating system panicked; the machine exists until it is destroyed.
 * - `off`: the machine does not exist. `shutdown`: the guest powered off; `destroyed`: ended from outside through the
 *   hypervisor; `crashed`: its process ended by itself; `failed`: it could not start; `unknown`: lost, for example with the host.
 */
export type GuestState =
  | { readonly type: 'running' }
  | { readonly type: 'paused' }
  | { readonly type: 'crashed' }
  | { readonly type: 'off'; readonly reason: 'shutdown' | 'destroyed' | 'crashed' | 'failed' | 'unknown' };

/** Texts in libvirt's XML formats. */
export interface HostDescription {
  /** `virsh capabilities`. */
  readonly capabilities: string;
  /** `virsh domcapabilities` for q35 and the kind's domain type. */
  readonly domainCapabilities: string;
  /** `virsh hypervisor-cpu-baseline --features` of the above; absent where it fails. */
  readonly supportedFeatures?: string;
}

/** A disk that a guest has. */
export interface PluggedDisk {
  readonly target: string;
  /** Absent for a drive without a medium. */
  readonly path?: string;
}

export interface StartedGuest {
  /** Canonical machine type, for example `pc-q35-7.2`. */
  readonly machineType: string;
}

/** The hypervisor did not answer, or went away meanwhile: nobody knows what it has done, and later it may do it. */
export class HypervisorUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HypervisorUnavailable';
  }
}

/** What was asked of the hypervisor cannot be done; the message tells what and why. */
export class HypervisorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HypervisorError';
  }
}

/** Every call may throw a {@link HypervisorUnavailable}. */
export interface Hypervisor {
  readonly kind: HypervisorKind;
  describeHost(): Promise<HostDescription>;
  /** Every guest known, by name. */
  list(): Promise<ReadonlyMap<string, GuestState>>;
  /** Defines and starts a guest; the guest stays known after its end, until {@link undefine}. */
  start(guest: GuestDefinition): Promise<StartedGuest>;
  /** Presses the power button; may be repeated; no error if the guest is off. */
  shutdown(name: string): Promise<void>;
  /** Ends the guest at once; no error if it is off. */
  destroy(name: string): Promise<void>;
  /** Forgets a guest that is off; no error if it is not known. */
  undefine(name: string): Promise<void>;
  /** Disks of a guest whose machine exists, those plugged in later too. */
  disksOf(name: string): Promise<readonly PluggedDisk[]>;
  /** Plugs a disk into a guest that runs. */
  plugIn(name: string, disk: GuestDisk): Promise<void>;
  /**
   * Asks a guest that runs to let a disk go. A disk on the bus `virtio` goes when the guest's operating system agrees, which it may
   * never do: {@link disksOf} tells. No error if the guest has no such disk.
   */
  plugOut(name: string, target: string): Promise<void>;
  onHint(listener: () => void): void;
  /** Lets go of the hypervisor; guests go on. */
  detach(): Promise<void>;
  /** Ends every guest, and what was started to run them. */
  stop(): Promise<void>;
}
