import type { GuestDefinition, GuestDisk, GuestInterface } from '../guest-definition.ts';
import { escapeXml } from '../xml.ts';

/** `kvm` runs on the processor itself, `qemu` is emulation. */
export type DomainType = 'kvm' | 'qemu';

export const DEFAULT_MACHINE = 'q35';

/** Ports into which disks on the bus `virtio` can be plugged: PCI Express has one for each device. */
const SPARE_PORTS = 4;

/**
 * A guest as a libvirt domain. Without graphics; the serial port goes to a file; network cards are on QEMU's user network,
 * which needs no privileges and no helper. A guest that panics is kept until the agent has seen that (ended at once it could not
 * be told from one that was killed). `machines`: what the host offers.
 */
export function domainXml(guest: GuestDefinition, type: DomainType, machines: ReadonlySet<string>): string {
  const { sockets, cores, threads } = guest.cpu;
  const machine = machines.has(guest.machineType) ? guest.machineType : DEFAULT_MACHINE;
  return `<domain type='${type}'>
  <name>${escapeXml(guest.name)}</name>
  <uuid>${escapeXml(guest.uuid)}</uuid>
  <memory unit='b'>${guest.memoryBytes}</memory>
  <vcpu placement='static'>${sockets * cores * threads}</vcpu>
  <os><type arch='x86_64' machine='${escapeXml(machine)}'>hvm</type></os>
  <features><acpi/></features>
  ${cpu(guest, type)}
  <clock offset='utc'/>
  <on_poweroff>destroy</on_poweroff>
  <on_reboot>restart</on_reboot>
  <on_crash>preserve</on_crash>
  <devices>
    <controller type='usb' index='0' model='none'/>
${[...controllers(guest, machine), ...guest.disks.map((disk, i) => diskXml(disk, i + 1)), ...guest.interfaces.map(networkCard)].map((line) => `    ${line}\n`).join('')}\
    <serial type='file'>
      <source path='${escapeXml(guest.consoleLogPath)}' append='on'/>
      <target type='isa-serial' port='0'/>
    </serial>
    <memballoon model='none'/>
    <panic model='isa'/>
  </devices>
</domain>
`;
}

function cpu({ cpu: { sockets, cores, threads }, cpuModel }: GuestDefinition, type: DomainType): string {
  const topology = `<topology sockets='${sockets}' cores='${cores}' threads='${threads}'/>`;
  if (cpuModel === 'host-model') return `<cpu mode='host-model'>${topology}</cpu>`;
  if (cpuModel === undefined || cpuModel === 'host-passthrough') {
    // Emulation has no host to pass through; `maximum` is all that it can do.
    return `<cpu mode='${type === 'kvm' ? 'host-passthrough' : 'maximum'}'>${topology}</cpu>`;
  }
  return `<cpu mode='custom' match='exact'><model fallback='forbid'>${escapeXml(cpuModel)}</model>${topology}</cpu>`;
}

/** Disks on the bus `scsi` are on one controller, which has to be there before they are plugged in. */
function controllers({ hotplug, disks, interfaces }: GuestDefinition, machine: string): readonly string[] {
  const scsi = hotplug || disks.some(({ bus }) => bus === 'scsi') ? 1 : 0;
  // Older machines have a bus of slots, some of them free.
  const ports = hotplug && machine.includes('q35');
  const taken = scsi + interfaces.length + disks.filter(({ bus }) => bus === 'virtio').length;
  return [
    ...(scsi === 1 ? ["<controller type='scsi' index='0' model='virtio-scsi'/>"] : []),
    ...(ports ? ["<controller type='pci' index='0' model='pcie-root'/>"] : []),
    ...Array.from({ length: ports ? taken + SPARE_PORTS : 0 }, () => "<controller type='pci' model='pcie-root-port'/>"),
  ];
}

/** A disk of a domain; `bootOrder` (from 1) only where the guest may boot from it. */
export function diskXml(disk: GuestDisk, bootOrder?: number): string {
  return [
    `<disk type='file' device='${disk.device}'>`,
    `<driver name='qemu' type='${disk.format}'/>`,
    `<source file='${escapeXml(disk.path)}'/>`,
    `<target dev='${escapeXml(disk.target)}' bus='${disk.bus}'/>`,
    disk.readOnly ? '<readonly/>' : '',
    disk.serial === undefined ? '' : `<serial>${escapeXml(disk.serial)}</serial>`,
    bootOrder === undefined ? '' : `<boot order='${bootOrder}'/>`,
    '</disk>',
  ].join('');
}

function networkCard({ mac, model }: GuestInterface): string {
  // Without its boot ROM: distributions keep that in a package of its own, and booting is from disk.
  return [
    "<interface type='user'>",
    `<mac address='${escapeXml(mac)}'/><model type='${escapeXml(model)}'/><rom enabled='no'/>`,
    '</interface>',
  ].join('');
}
