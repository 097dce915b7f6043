import type { GuestDefinition, GuestDisk, GuestInterface } from '../guest-definition.ts';
import { escapeXml } from '../xml.ts';

/** `kvm` runs on the processor itself, `qemu` is emulation. */
export type DomainType = 'kvm' | 'qemu';

export const DEFAULT_MACHINE = 'q35';

const TARGET_PREFIX = { virtio: 'vd', sata: 'sd', scsi: 'sd', usb: 'sd' } as const;

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
${[...disks(guest.disks), ...guest.interfaces.map(networkCard)].map((line) => `    ${line}\n`).join('')}\
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

function disks(all: readonly GuestDisk[]): readonly string[] {
  const used = new Map<string, number>();
  return all.map((disk, i) => {
    const prefix = TARGET_PREFIX[disk.bus];
    const count = used.get(prefix) ?? 0;
    used.set(prefix, count + 1);
    const target = `${prefix}${letters(count)}`;
    return [
      `<disk type='file' device='${disk.device}'>`,
      `<driver name='qemu' type='${disk.format}'/>`,
      `<source file='${escapeXml(disk.path)}'/>`,
      `<target dev='${target}' bus='${disk.bus}'/>`,
      disk.readOnly ? '<readonly/>' : '',
      disk.serial === undefined ? '' : `<serial>${escapeXml(disk.serial)}</serial>`,
      `<boot order='${i + 1}'/>`,
      '</disk>',
    ].join('');
  });
}

/** a to z, then aa, ab, ... as Linux names its disks. */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}

function networkCard({ mac, model }: GuestInterface): string {
  // Without its boot ROM: distributions keep that in a package of its own, and booting is from disk.
  return [
    "<interface type='user'>",
    `<mac address='${escapeXml(mac)}'/><model type='${escapeXml(model)}'/><rom enabled='no'/>`,
    '</interface>',
  ].join('');
}
