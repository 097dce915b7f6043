import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { freeTarget } from '../hypervisor/disk-target.ts';
import type { CpuTopology, GuestDefinition, GuestDisk } from '../hypervisor/guest-definition.ts';
import { diskFormat } from './disk-format.ts';
import { claimNameOf, guestDisk, UnsupportedGuest, type Volume } from './guest-disk.ts';
import type { GuestRecord, StartedRecord } from './guest-record.ts';
import { quantity } from './quantity.ts';

export type DiskFile =
  | { readonly type: 'copy'; readonly from: string; readonly to: string }
  | { readonly type: 'empty'; readonly to: string; readonly bytes: number };

/** Where a disk's content comes from; a claim's is there already, and stays. */
type Content = DiskFile | { readonly type: 'claim'; readonly path: string };

export interface GuestPlan {
  readonly definition: GuestDefinition;
  /** To be made before the guest starts. */
  readonly files: readonly DiskFile[];
  readonly start: StartedRecord;
}

/** Where the guest's own files may lie. */
export interface GuestPlace {
  readonly record: GuestRecord;
  readonly folder: string;
  readonly consoleLogPath: string;
}

type Domain = VirtualMachineInstance['spec']['domain'];

const DEFAULT_GRACE_SECONDS = 30;

/** What has to be done to run a VMI. Throws an {@link UnsupportedGuest} for volumes, networks and the like that are not offered. */
export function planGuest(vmi: VirtualMachineInstance, place: GuestPlace): GuestPlan {
  const { domain } = vmi.spec;
  if (domain.firmware?.kernelBoot !== undefined) throw new UnsupportedGuest('kernelBoot is not offered by this node');
  const disks = planDisks(vmi, place);
  const interfaces = planInterfaces(vmi, place.record);
  return {
    definition: {
      name: place.record.domain,
      uuid: domain.firmware?.uuid ?? place.record.vmiUid,
      memoryBytes: memoryBytes(domain),
      cpu: topology(domain),
      cpuModel: domain.cpu?.model,
      machineType: domain.machine?.type ?? 'q35',
      disks: disks.map((d) => d.disk),
      interfaces: interfaces.map(({ mac, model }) => ({ mac, model })),
      hotplug: domain.devices?.disableHotplug !== true,
      consoleLogPath: place.consoleLogPath,
    },
    files: disks.flatMap(({ content }) => (content.type === 'claim' ? [] : [content])),
    start: {
      graceSeconds: vmi.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS,
      interfaces: interfaces.map(({ name, mac }) => ({ name, mac })),
      migratable: disks.every(({ content }) => content.type === 'copy'),
      targets: Object.fromEntries(disks.map(({ volume, disk }) => [volume, disk.target])),
    },
  };
}

interface PlannedDisk {
  readonly volume: string;
  readonly disk: GuestDisk;
  readonly content: Content;
}

/** In the order of booting. Volumes that are plugged in later are not among them (vmi.md 7.1). */
function planDisks(vmi: VirtualMachineInstance, place: GuestPlace): readonly PlannedDisk[] {
  const wanted = vmi.spec.domain.devices?.disks ?? [];
  const used = new Set<string>();
  return (vmi.spec.volumes ?? [])
    .filter((volume) => claimNameOf(volume) === undefined || place.record.claims[volume.name] !== undefined)
    .map((volume) => {
      const disk = wanted.find((d) => d.name === volume.name);
      const content = contentOf(volume, place);
      const source = {
        path: content.type === 'claim' ? content.path : content.to,
        // A claim is raw whatever it holds: its guest could write the header of another format, which names other files.
        format: content.type === 'copy' ? formatOf(content.from, volume.name) : 'raw',
        readOnly: volume.persistentVolumeClaim?.readOnly === true,
        defaultBus: 'virtio',
      } as const;
      return { volume: volume.name, content, disk: guestDisk(disk, source), bootOrder: disk?.bootOrder };
    })
    .sort((a, b) => (a.bootOrder ?? Number.MAX_SAFE_INTEGER) - (b.bootOrder ?? Number.MAX_SAFE_INTEGER))
    .map(({ volume, content, disk }) => {
      const target = freeTarget(disk.bus, used);
      used.add(target);
      return { volume, content, disk: { ...disk, target } };
    });
}

function contentOf(volume: Volume, { folder, record }: GuestPlace): Content {
  const to = join(folder, 'disks', volume.name);
  const claim = record.claims[volume.name];
  if (claimNameOf(volume) !== undefined && claim !== undefined) return { type: 'claim', path: claim.path };
  if (volume.containerDisk !== undefined) {
    return { type: 'copy', from: imagePath(volume.name, volume.containerDisk, record), to };
  }
  if (volume.emptyDisk !== undefined) {
    return { type: 'empty', to, bytes: quantity(volume.emptyDisk.capacity) };
  }
  const kind = Object.keys(volume).find((key) => key !== 'name') ?? 'nothing';
  throw new UnsupportedGuest(`volume ${volume.name}: ${kind} is not offered by this node`);
}

/** The disk in the image is the one below `/disk`; a path can only say so (the file's own). */
function imagePath(name: string, { image, path }: { image: string; path?: string }, record: GuestRecord): string {
  const found = record.images[name];
  if (found === undefined) throw new UnsupportedGuest(`volume ${name}: image ${image} is not known to this node`);
  const { pathInImage } = found;
  if (path !== undefined && path !== '' && pathInImage !== undefined && path !== pathInImage) {
    throw new UnsupportedGuest(`volume ${name}: path ${path} is not offered by this node; the disk is ${pathInImage}`);
  }
  return found.diskPath;
}

function formatOf(path: string, volume: string): 'raw' | 'qcow2' {
  const { type } = diskFormat(path);
  if (type !== 'refers-elsewhere') return type;
  throw new UnsupportedGuest(`volume ${volume}: its image refers to another file, which this node does not allow`);
}

function planInterfaces(vmi: VirtualMachineInstance, record: GuestRecord) {
  return (vmi.spec.domain.devices?.interfaces ?? []).map((nic) => {
    const network = vmi.spec.networks?.find((n) => n.name === nic.name);
    if (network?.pod === undefined || nic.masquerade === undefined) {
      throw new UnsupportedGuest(`interface ${nic.name}: this node offers only masquerade on the pod network`);
    }
    return { name: nic.name, mac: nic.macAddress ?? macFor(record.vmiUid, nic.name), model: nic.model ?? 'virtio' };
  });
}

/** The same at each start of one VMI. */
function macFor(vmiUid: string, name: string): string {
  const hex = createHash('sha256').update(`${vmiUid}/${name}`).digest('hex');
  return `52:54:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4, 6)}`;
}

function memoryBytes(domain: Domain): number {
  const { requests, limits } = domain.resources ?? {};
  const wanted = domain.memory?.guest ?? memoryOf(requests) ?? memoryOf(limits);
  if (wanted === undefined) throw new UnsupportedGuest('the domain has no memory');
  return Math.ceil(quantity(wanted) / 1024) * 1024;
}

function memoryOf(resources: unknown): string | undefined {
  return (resources as Record<string, string> | undefined)?.memory;
}

/** As given; with none given as many sockets as CPUs are asked for. */
function topology({ cpu, resources }: Domain): CpuTopology {
  const given = [cpu?.sockets, cpu?.cores, cpu?.threads];
  if (given.some((n) => n !== undefined && n > 0)) {
    return { sockets: cpu?.sockets || 1, cores: cpu?.cores || 1, threads: cpu?.threads || 1 };
  }
  const limits = resources?.limits as Record<string, string> | undefined;
  const requests = resources?.requests as Record<string, string> | undefined;
  const asked = limits?.cpu ?? requests?.cpu;
  return { sockets: asked === undefined ? 1 : Math.max(1, Math.ceil(quantity(asked))), cores: 1, threads: 1 };
}
