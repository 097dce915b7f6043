import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { UnsupportedGuest } from '../../../../infra/node/launcher/guest-disk.ts';
import { planGuest } from '../../../../infra/node/launcher/guest-plan.ts';
import { newRecord } from '../../../../infra/node/launcher/launcher-pod.ts';
import { quantity } from '../../../../infra/node/launcher/quantity.ts';
import { launcherPod, scheduledVmi } from './objects.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vf-plan-'));
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'images/guest'), 'raw');
  writeFileSync(join(folder, 'images/cow'), Buffer.from('QFI\xfb', 'latin1'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const vmi = scheduledVmi('vm', '11111111-0000-4000-8000-000000000001');
const images = {
  get boot() {
    return {
      diskPath: join(folder, 'images/guest'),
      imageId: 'registry.example/a/b@sha256:1',
      pathInImage: '/disk/a.img',
    };
  },
  get cow() {
    return { diskPath: join(folder, 'images/cow'), imageId: 'local/cow@sha256:2' };
  },
};
const claims = { data: { volume: 'pvc-1', path: '/data/volumes/pvc-1/disk.img' } };
const plan = (change: (spec: VirtualMachineInstance['spec']) => void = () => {}) => {
  const changed = structuredClone(vmi);
  change(changed.spec);
  return planGuest(changed, {
    record: newRecord(launcherPod('vm', vmi.metadata.uid ?? ''), '10.244.0.2', { images, claims }),
    folder: join(folder, 'guests/p'),
    consoleLogPath: join(folder, 'guests/p/console.log'),
  });
};

describe('plan of a guest', () => {
  test('from a minimal VMI', () => {
    const { definition, files, start } = plan();
    expect(definition).toMatchObject({
      name: 'default_vm',
      uuid: vmi.metadata.uid,
      memoryBytes: 64 * 1024 * 1024,
      cpu: { sockets: 1, cores: 1, threads: 1 },
      machineType: 'q35',
    });
    expect(definition.disks).toMatchObject([{ format: 'raw', device: 'disk', bus: 'virtio', readOnly: false }]);
    expect(files).toEqual([
      { type: 'copy', from: join(folder, 'images/guest'), to: join(folder, 'guests/p/disks/boot') },
    ]);
    expect(start).toMatchObject({ graceSeconds: 5, migratable: true });
    expect(start.interfaces).toEqual([{ name: 'default', mac: definition.interfaces[0]?.mac }]);
    expect(start.interfaces[0]?.mac).toMatch(/^52:54:00(:[0-9a-f]{2}){3}$/);
  });

  test('takes uuid, CPUs and memory as given', () => {
    const { definition } = plan((spec) => {
      spec.domain.firmware = { uuid: '22222222-0000-4000-8000-000000000002' };
      spec.domain.cpu = { sockets: 2, cores: 2, model: 'host-model' };
      spec.domain.memory = { guest: '100M' };
    });
    expect(definition).toMatchObject({
      uuid: '22222222-0000-4000-8000-000000000002',
      cpu: { sockets: 2, cores: 2, threads: 1 },
      cpuModel: 'host-model',
      memoryBytes: 100_000_768,
    });
  });

  test('makes sockets of CPUs that are asked for as resources', () => {
    const { definition } = plan((spec) => {
      spec.domain.resources = { requests: { memory: '64Mi', cpu: '1500m' } } as never;
    });
    expect(definition.cpu).toEqual({ sockets: 2, cores: 1, threads: 1 });
  });

  test('boots in the order that is asked for, reads a format from the image, makes empty disks', () => {
    const { definition, files, start } = plan((spec) => {
      spec.domain.devices.disks = [
        { name: 'boot', disk: {} },
        { name: 'cow', cdrom: {}, bootOrder: 1 },
      ];
      spec.volumes?.push(
        { name: 'cow', containerDisk: { image: 'local/cow' } },
        { name: 'scratch', emptyDisk: { capacity: '2Mi' } },
      );
    });
    expect(definition.disks.map((d) => [d.path.split('/').at(-1), d.format, d.device, d.bus, d.readOnly])).toEqual([
      ['cow', 'qcow2', 'cdrom', 'sata', true],
      ['boot', 'raw', 'disk', 'virtio', false],
      ['scratch', 'raw', 'disk', 'virtio', false],
    ]);
    expect(files.at(-1)).toMatchObject({ type: 'empty', bytes: 2 * 1024 * 1024 });
    expect(start.migratable).toBe(false);
  });

  test("takes a claim's disk as it is, raw; leaves a claim to hotplug that the pod does not have; names disks by their bus", () => {
    const { definition, files, start } = plan((spec) => {
      spec.domain.devices.disks?.push({ name: 'data', disk: { bus: 'scsi' }, serial: 's' });
      spec.volumes?.push(
        { name: 'data', persistentVolumeClaim: { claimName: 'c', readOnly: true } },
        { name: 'later', dataVolume: { name: 'd', hotpluggable: true } },
        { name: 'scratch', emptyDisk: { capacity: '2Mi' } },
      );
    });
    expect(definition.hotplug).toBe(true);
    expect(definition.disks[1]).toEqual({
      path: claims.data.path,
      target: 'sda',
      format: 'raw',
      device: 'disk',
      bus: 'scsi',
      readOnly: true,
      serial: 's',
    });
    expect(files.map(({ to }) => to.split('/').at(-1))).toEqual(['boot', 'scratch']);
    expect(start).toMatchObject({ migratable: false, targets: { boot: 'vda', data: 'sda', scratch: 'vdb' } });
  });

  test('takes a data volume by the claim of its name, and has no hotplug where the VMI wants none', () => {
    const { definition } = plan((spec) => {
      spec.domain.devices.disableHotplug = true;
      spec.volumes?.push({ name: 'data', dataVolume: { name: 'data' } });
    });
    expect(definition.hotplug).toBe(false);
    expect(definition.disks.map((d) => [d.path.split('/').at(-1), d.target])).toEqual([
      ['boot', 'vda'],
      ['disk.img', 'vdb'],
    ]);
  });

  test.each<[string, (spec: VirtualMachineInstance['spec']) => void, RegExp]>([
    [
      'a copy of a claim',
      (s) => s.volumes?.push({ name: 'data', ephemeral: { persistentVolumeClaim: { claimName: 'c' } } }),
      /ephemeral/,
    ],
    ['an image that is not there', (s) => s.volumes?.push({ name: 'c', containerDisk: { image: 'a/b:1' } }), /a\/b:1/],
    [
      'another path in an image than its disk has',
      (s) => {
        s.volumes = [{ name: 'boot', containerDisk: { image: 'registry.example/a/b', path: '/other/disk' } }];
      },
      /\/disk\/a\.img/,
    ],
    [
      'a kernel of its own',
      (s) => {
        s.domain.firmware = { kernelBoot: {} };
      },
      /kernelBoot/,
    ],
    [
      'a bridge',
      (s) => {
        s.domain.devices.interfaces = [{ name: 'default', bridge: {} }];
      },
      /masquerade/,
    ],
    [
      'no memory',
      (s) => {
        s.domain.resources = {};
      },
      /memory/,
    ],
  ])('refuses %s', (_name, change, message) => {
    expect(() => plan(change)).toThrow(UnsupportedGuest);
    expect(() => plan(change)).toThrow(message);
  });
});

describe('a disk that refers to another file', () => {
  const header = (fill: (bytes: Buffer) => void): void => {
    const bytes = Buffer.alloc(104);
    bytes.write('QFI\xfb', 'latin1');
    bytes.writeUInt32BE(3, 4);
    fill(bytes);
    writeFileSync(join(folder, 'images/guest'), bytes);
  };
  test.each<[string, (bytes: Buffer) => void]>([
    ['that completes it', (bytes) => bytes.writeBigUInt64BE(104n, 8)],
    ['that holds its data', (bytes) => bytes.writeBigUInt64BE(4n, 72)],
  ])('%s is refused', (_name, fill) => {
    header(fill);
    expect(() => plan()).toThrow(/volume boot: its image refers to another file/);
  });

  test('one that does not is taken', () => {
    header(() => {});
    expect(plan().definition.disks[0]?.format).toBe('qcow2');
  });
});

test.each([
  ['128Mi', 134_217_728],
  ['1G', 1e9],
  ['100m', 0.1],
  ['1e3', 1000],
  [5, 5],
])('quantity %s', (text, value) => {
  expect(quantity(text)).toBeCloseTo(value, 9);
});
