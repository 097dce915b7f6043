/** A guest as the hypervisor must run it, in terms of neither Kubernetes nor libvirt. */
export interface GuestDefinition {
  /** Unique on the node. */
  readonly name: string;
  readonly uuid: string;
  readonly memoryBytes: number;
  readonly cpu: CpuTopology;
  /** `host-model`, `host-passthrough`, or a model's name; absent: the hypervisor's best. */
  readonly cpuModel?: string;
  /** Wanted machine type, for example `q35`; one that the host does not have becomes `q35`. */
  readonly machineType: string;
  /** In boot order. */
  readonly disks: readonly GuestDisk[];
  readonly interfaces: readonly GuestInterface[];
  /** Whether disks can be plugged in and out while it runs. */
  readonly hotplug: boolean;
  /** File to which the first serial port is appended. */
  readonly consoleLogPath: string;
}

export interface CpuTopology {
  readonly sockets: number;
  readonly cores: number;
  readonly threads: number;
}

export interface GuestDisk {
  /** Tells it from the guest's other disks. */
  readonly path: string;
  /** Name at the hypervisor, unique in the guest: `vda`, `sdb` (disk-target.ts). */
  readonly target: string;
  readonly format: 'raw' | 'qcow2';
  readonly device: 'disk' | 'cdrom';
  readonly bus: 'virtio' | 'sata' | 'scsi' | 'usb';
  readonly readOnly: boolean;
  readonly serial?: string;
}

/** A network card on a network of the guest's own, behind address translation in the hypervisor's process. */
export interface GuestInterface {
  readonly mac: string;
  readonly model: string;
}
