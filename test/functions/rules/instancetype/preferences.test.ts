import { describe, expect, test } from 'vitest';
import { applyPreference } from '../../../../functions/rules/instancetype/preferences/apply-preference.ts';
import { withAutoAttach } from '../../../../functions/rules/instancetype/preferences/auto-attach.ts';
import type { InstanceSpec, PreferenceSpec } from '../../../../functions/rules/instancetype/profile.ts';

type Domain = Partial<InstanceSpec['domain']>;
type Devices = InstanceSpec['domain']['devices'];

function spec(preference: PreferenceSpec, given: Partial<InstanceSpec> = {}): InstanceSpec {
  return applyPreference({ spec: { domain: { devices: {} }, ...given } }, preference).spec;
}

function domain(preference: PreferenceSpec, given: Domain = {}): InstanceSpec['domain'] {
  return spec(preference, { domain: { devices: {}, ...given } }).domain;
}

function devices(preferred: PreferenceSpec['devices'], given: Devices = {}): Devices {
  return domain({ devices: preferred }, { devices: given }).devices;
}

describe('preferences fill gaps (vm.md 10.6)', () => {
  test('CPU features by name, also without an instance type', () => {
    const preference = { cpu: { preferredCPUFeatures: [{ name: 'a', policy: 'require' }, { name: 'b' }] } };
    expect(domain(preference).cpu).toEqual({ features: [{ name: 'a', policy: 'require' }, { name: 'b' }] });
    expect(domain(preference, { cpu: { features: [{ name: 'a', policy: 'disable' }] } }).cpu?.features).toEqual([
      { name: 'a', policy: 'disable' },
      { name: 'b' },
    ]);
    expect(domain({ cpu: {} })).not.toHaveProperty('cpu');
  });

  test('single devices, where there are none', () => {
    const preferred = {
      preferredUseVirtioTransitional: true,
      preferredBlockMultiQueue: true,
      preferredNetworkInterfaceMultiQueue: true,
      preferredRng: {},
      preferredTPM: { persistent: true },
    };
    const all = {
      useVirtioTransitional: true,
      blockMultiQueue: true,
      networkInterfaceMultiqueue: true,
      rng: {},
      tpm: { persistent: true },
    };
    expect(devices(preferred)).toEqual(all);
    const given = { useVirtioTransitional: false, blockMultiQueue: false, networkInterfaceMultiqueue: false, tpm: {} };
    expect(devices(preferred, given)).toEqual({ ...given, rng: {} });
  });

  test('disableHotplug is overwritten, either way', () => {
    expect(devices({ preferredDisableHotplug: false }, { disableHotplug: true }).disableHotplug).toBe(false);
    expect(devices({ preferredDisableHotplug: true }).disableHotplug).toBe(true);
    expect(devices({}, { disableHotplug: true }).disableHotplug).toBe(true);
  });

  test('the model of a sound device that is there, the type of a video device in any case', () => {
    const preferred = { preferredSoundModel: 'ich9', preferredVideoType: 'virtio' };
    expect(devices(preferred)).toEqual({ video: { type: 'virtio' } });
    expect(devices(preferred, { sound: { name: 's' }, video: { type: 'vga' } })).toEqual({
      sound: { name: 's', model: 'ich9' },
      video: { type: 'vga' },
    });
  });

  test('disks by their type; one without a type becomes a disk', () => {
    const preferred = {
      preferredDiskBus: 'virtio',
      preferredCdromBus: 'sata',
      preferredLunBus: 'scsi',
      preferredDiskCache: 'none',
      preferredDiskIO: 'native',
      preferredDiskBlockSize: { matchVolume: {} },
      preferredDiskDedicatedIoThread: true,
    };
    const filled = { blockSize: { matchVolume: {} }, cache: 'none', io: 'native' };
    const disks = [
      { name: 'a' },
      { name: 'b', disk: { bus: 'sata' } },
      { name: 'c', cdrom: {} },
      { name: 'd', lun: {} },
      { name: 'e', disk: {}, cache: 'writeback', dedicatedIOThread: false },
    ];
    expect(devices(preferred, { disks }).disks).toEqual([
      { name: 'a', disk: { bus: 'virtio' }, ...filled, dedicatedIOThread: true },
      { name: 'b', disk: { bus: 'sata' }, ...filled },
      { name: 'c', cdrom: { bus: 'sata' } },
      { name: 'd', lun: { bus: 'scsi' } },
      { name: 'e', disk: { bus: 'virtio' }, ...filled, cache: 'writeback', dedicatedIOThread: false },
    ]);
    expect(domain({}, { devices: { disks: [{ name: 'a' }] } }).devices.disks).toEqual([{ name: 'a' }]);
  });

  test('interfaces: the model; masquerade on the pod network only, where nothing binds', () => {
    const given: Partial<InstanceSpec> = {
      networks: [
        { name: 'pod', pod: {} },
        { name: 'bound', pod: {} },
        { name: 'plugin', pod: {} },
        { name: 'other', multus: { networkName: 'x' } },
      ],
      domain: {
        devices: {
          interfaces: [
            { name: 'pod' },
            { name: 'bound', bridge: {}, model: 'e1000' },
            { name: 'plugin', binding: { name: 'p' } },
            { name: 'other' },
          ],
        },
      },
    };
    const preference = { devices: { preferredInterfaceModel: 'virtio', preferredInterfaceMasquerade: {} } };
    expect(spec(preference, given).domain.devices.interfaces).toEqual([
      { name: 'pod', model: 'virtio', masquerade: {} },
      { name: 'bound', bridge: {}, model: 'e1000' },
      { name: 'plugin', binding: { name: 'p' }, model: 'virtio' },
      { name: 'other', model: 'virtio' },
    ]);
  });

  test('inputs and panic devices', () => {
    const preferred = { preferredInputBus: 'virtio', preferredInputType: 'tablet', preferredPanicDeviceModel: 'isa' };
    expect(devices(preferred)).toEqual({ panicDevices: [{ model: 'isa' }] });
    const given = {
      inputs: [
        { name: 'a', type: '' },
        { name: 'b', type: 'x', bus: 'usb' },
      ],
      panicDevices: [{}, { model: 'm' }],
    };
    expect(devices(preferred, given)).toEqual({
      inputs: [
        { name: 'a', type: 'tablet', bus: 'virtio' },
        { name: 'b', type: 'x', bus: 'usb' },
      ],
      panicDevices: [{ model: 'isa' }, { model: 'm' }],
    });
  });

  test('features: ACPI is overwritten, Hyper-V filled member by member, the rest as they are', () => {
    const features = {
      preferredAcpi: { enabled: false },
      preferredApic: { enabled: true },
      preferredHyperv: { relaxed: { enabled: true }, vapic: { enabled: true } },
      preferredKvm: { hidden: true },
      preferredPvspinlock: {},
      preferredSmm: {},
    };
    expect(domain({ features }).features).toEqual({
      acpi: { enabled: false },
      apic: { enabled: true },
      hyperv: { relaxed: { enabled: true }, vapic: { enabled: true } },
      kvm: { hidden: true },
      pvspinlock: {},
      smm: {},
    });
    const given = { acpi: { enabled: true }, apic: {}, hyperv: { relaxed: { enabled: false } }, kvm: {} };
    expect(domain({ features }, { features: given }).features).toMatchObject({
      acpi: { enabled: false },
      apic: {},
      hyperv: { relaxed: { enabled: false }, vapic: { enabled: true } },
      kvm: {},
    });
  });

  test.each<[string, PreferenceSpec['firmware'], object, object]>([
    ['BIOS', { preferredUseBios: true, preferredUseBiosSerial: true }, {}, { bios: { useSerial: true } }],
    ['BIOS before EFI', { preferredUseBios: true, preferredUseEfi: true }, {}, { bios: {} }],
    ['not to use BIOS', { preferredUseBios: false }, {}, {}],
    [
      'a serial console of the BIOS that is there',
      { preferredUseBiosSerial: true },
      { bios: {} },
      { bios: { useSerial: true } },
    ],
    ['no BIOS beside EFI', { preferredUseBios: true, preferredUseBiosSerial: true }, { efi: {} }, { efi: {} }],
    ['EFI', { preferredUseEfi: true, preferredUseSecureBoot: true }, {}, { efi: { secureBoot: true } }],
    [
      'secure boot of the EFI that is there',
      { preferredUseSecureBoot: false },
      { efi: {} },
      { efi: { secureBoot: false } },
    ],
    [
      'EFI as a whole',
      { preferredEfi: { persistent: true }, preferredUseSecureBoot: true },
      {},
      { efi: { persistent: true } },
    ],
    ['EFI as a whole, not beside BIOS', { preferredEfi: { persistent: true } }, { bios: {} }, { bios: {} }],
  ])('firmware: %s', (_, firmware, bootloader, expected) => {
    expect(domain({ firmware }, { firmware: { uuid: 'u', bootloader } }).firmware).toEqual({
      uuid: 'u',
      bootloader: expected,
    });
  });

  test('the clock: an offset where there is none, timers as a whole', () => {
    const clock = { preferredClockOffset: { utc: { offsetSeconds: 5 } }, preferredTimer: { hpet: { present: false } } };
    expect(domain({ clock }).clock).toEqual({ utc: { offsetSeconds: 5 }, timer: { hpet: { present: false } } });
    expect(domain({ clock }, { clock: { timezone: 'UTC', timer: {} } }).clock).toEqual({ timezone: 'UTC', timer: {} });
    expect(domain({ clock: { preferredClockOffset: { timezone: 'x' } } }, { clock: { utc: {} } }).clock).toEqual({
      utc: {},
    });
  });

  test('machine type, and what stands beside the domain', () => {
    const preference: PreferenceSpec = {
      machine: { preferredMachineType: 'q35' },
      preferredSubdomain: 'sub',
      preferredTerminationGracePeriodSeconds: 7,
      preferredArchitecture: 'arm64',
      preferredLaunchSecurity: { sev: {} },
    };
    expect(spec(preference)).toEqual({
      subdomain: 'sub',
      terminationGracePeriodSeconds: 7,
      architecture: 'arm64',
      domain: { devices: {}, machine: { type: 'q35' }, launchSecurity: { sev: {} } },
    });
    const given: InstanceSpec = {
      subdomain: 'mine',
      terminationGracePeriodSeconds: 0,
      architecture: 'amd64',
      domain: { devices: {}, machine: { type: 'pc' }, launchSecurity: {} },
    };
    expect(spec(preference, given)).toEqual(given);
  });

  test('annotations that are missing', () => {
    const target = { metadata: { annotations: { a: '1' } }, spec: { domain: { devices: {} } } };
    expect(applyPreference(target, { annotations: { a: '2', b: '3' } }).metadata.annotations).toEqual({
      a: '1',
      b: '3',
    });
  });

  test('what is attached by itself, alone and with the rest', () => {
    const preferred = {
      preferredAutoattachGraphicsDevice: false,
      preferredAutoattachMemBalloon: false,
      preferredAutoattachPodInterface: false,
      preferredAutoattachSerialConsole: false,
      preferredAutoattachInputDevice: true,
      preferredDiskBus: 'sata',
    };
    const attached = {
      autoattachGraphicsDevice: false,
      autoattachMemBalloon: false,
      autoattachPodInterface: false,
      autoattachSerialConsole: false,
      autoattachInputDevice: true,
    };
    expect(devices(preferred)).toEqual(attached);
    const given = { domain: { devices: { disks: [{ name: 'a' }], autoattachSerialConsole: true } } };
    expect(withAutoAttach(given, { devices: preferred }).domain.devices).toEqual({
      disks: [{ name: 'a' }],
      ...attached,
      autoattachSerialConsole: true,
    });
  });
});
