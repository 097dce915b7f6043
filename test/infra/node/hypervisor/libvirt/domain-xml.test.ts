import { describe, expect, test } from 'vitest';
import type { GuestDefinition } from '../../../../../infra/node/hypervisor/guest-definition.ts';
import { domainXml } from '../../../../../infra/node/hypervisor/libvirt/domain-xml.ts';
import { elementsAt, parseXml } from '../../../../../infra/node/hypervisor/xml.ts';

const guest: GuestDefinition = {
  name: 'default_vm',
  uuid: '11111111-2222-4333-8444-555555555555',
  memoryBytes: 64 * 1024 * 1024,
  cpu: { sockets: 2, cores: 3, threads: 1 },
  machineType: 'q35',
  disks: [
    {
      path: "/data/it's & more",
      target: 'vda',
      format: 'raw',
      device: 'disk',
      bus: 'virtio',
      readOnly: false,
      serial: 's1',
    },
    { path: '/data/cd', target: 'sda', format: 'raw', device: 'cdrom', bus: 'sata', readOnly: true },
    { path: '/data/second', target: 'vdb', format: 'qcow2', device: 'disk', bus: 'virtio', readOnly: false },
  ],
  interfaces: [{ mac: '52:54:00:00:00:01', model: 'virtio' }],
  hotplug: false,
  consoleLogPath: '/data/console.log',
};
const machines = new Set(['q35', 'pc-q35-7.2']);
const at = (xml: string, ...path: string[]) => elementsAt(parseXml(xml), ...path);

describe('domain XML', () => {
  test('holds name, uuid, memory, CPUs, console', () => {
    const xml = domainXml(guest, 'qemu', machines);
    expect(parseXml(xml).attributes.type).toBe('qemu');
    expect(at(xml, 'name')[0]?.text).toBe('default_vm');
    expect(at(xml, 'uuid')[0]?.text).toBe(guest.uuid);
    expect(at(xml, 'memory')[0]).toMatchObject({ text: '67108864', attributes: { unit: 'b' } });
    expect(at(xml, 'vcpu')[0]?.text).toBe('6');
    expect(at(xml, 'cpu', 'topology')[0]?.attributes).toEqual({ sockets: '2', cores: '3', threads: '1' });
    expect(at(xml, 'devices', 'serial', 'source')[0]?.attributes).toEqual({ path: '/data/console.log', append: 'on' });
  });

  test('names disks by their bus and boots them in order', () => {
    const disks = at(domainXml(guest, 'qemu', machines), 'devices', 'disk');
    const facts = disks.map((d) => [
      elementsAt(d, 'target')[0]?.attributes.dev,
      elementsAt(d, 'driver')[0]?.attributes.type,
      elementsAt(d, 'boot')[0]?.attributes.order,
      elementsAt(d, 'readonly').length,
    ]);
    expect(facts).toEqual([
      ['vda', 'raw', '1', 0],
      ['sda', 'raw', '2', 1],
      ['vdb', 'qcow2', '3', 0],
    ]);
    expect(elementsAt(disks[0] as never, 'source')[0]?.attributes.file).toBe("/data/it's & more");
  });

  test.each([
    ['q35', true, 'virtio-scsi', 8],
    ['pc-i440fx-7.2', true, 'virtio-scsi', 0],
    ['q35', false, undefined, 0],
  ])('machine %s, hotplug %s: SCSI controller %s, %i ports', (machineType, hotplug, scsi, ports) => {
    const offered = new Set([...machines, 'pc-i440fx-7.2']);
    const controllers = at(domainXml({ ...guest, machineType, hotplug }, 'qemu', offered), 'devices', 'controller');
    const models = controllers.map(({ attributes }) => attributes.model);
    expect(models.find((model) => model === 'virtio-scsi')).toBe(scsi);
    // One for each of the guest's devices, and four to spare.
    expect(models.filter((model) => model === 'pcie-root-port')).toHaveLength(ports);
  });

  test('puts network cards on the user network', () => {
    const [card] = at(domainXml(guest, 'kvm', machines), 'devices', 'interface');
    expect(card?.attributes.type).toBe('user');
    expect(card?.children.find((c) => c.name === 'mac')?.attributes.address).toBe('52:54:00:00:00:01');
  });

  test.each([
    ['kvm', undefined, 'host-passthrough'],
    ['qemu', undefined, 'maximum'],
    ['qemu', 'host-passthrough', 'maximum'],
    ['kvm', 'host-model', 'host-model'],
    ['kvm', 'Penryn', 'custom'],
  ] as const)('%s with CPU model %s has mode %s', (type, cpuModel, mode) => {
    expect(at(domainXml({ ...guest, cpuModel }, type, machines), 'cpu')[0]?.attributes.mode).toBe(mode);
  });

  test('takes q35 for a machine that the host does not have', () => {
    const machine = (machineType: string) =>
      at(domainXml({ ...guest, machineType }, 'qemu', machines), 'os', 'type')[0]?.attributes.machine;
    expect(machine('pc-q35-7.2')).toBe('pc-q35-7.2');
    expect(machine('pc-q35-rhel9.6.0')).toBe('q35');
  });
});
