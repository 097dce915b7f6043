import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hostLabels, relabelled } from '../../../../infra/node/node/host-labels.ts';

const cpu = (modes: string, features = '') =>
  `<domainCapabilities><cpu>${modes}</cpu><features>${features}</features></domainCapabilities>`;
const capabilities = (counter = '', machines = '') =>
  `<?xml version='1.0'?><capabilities><host><cpu><arch>x86_64</arch>${counter}</cpu></host>${machines}</capabilities>`;
const labels = (parts: {
  domain?: string;
  host?: string;
  supported?: string;
  obsolete?: string[];
  realtime?: string;
}) =>
  hostLabels({
    host: {
      capabilities: parts.host ?? capabilities(),
      domainCapabilities: parts.domain ?? cpu(''),
      supportedFeatures: parts.supported,
    },
    obsoleteModels: parts.obsolete && new Set(parts.obsolete),
    realtimeRuntimeUs: parts.realtime,
  });
const models = (...all: string[]) => cpu(`<mode name='custom' supported='yes'>${all.join('')}</mode>`);

describe('labels from libvirt', () => {
  test('node case 74: usable no, yes, absent, unknown', () => {
    const domain = models(
      "<model usable='no'>A</model>",
      "<model usable='yes'>B</model>",
      '<model>C</model>',
      "<model usable='unknown'>D</model>",
    );
    expect(labels({ domain })).toEqual({
      'cpu-model.node.kubevirt.io/B': 'true',
      'cpu-model.node.kubevirt.io/D': 'true',
      'cpu-model-migration.node.kubevirt.io/A': 'true',
      'cpu-model-migration.node.kubevirt.io/B': 'true',
      'cpu-model-migration.node.kubevirt.io/D': 'true',
    });
  });

  test('node case 75: obsolete by default', () => {
    expect(
      labels({ domain: models("<model usable='yes'>486</model>", "<model usable='yes'>Opteron_G2</model>") }),
    ).toEqual({});
  });

  test('node cases 76 to 78: the configured map replaces the default list, its values do not matter', () => {
    const domain = models("<model usable='yes'>Penryn</model>", "<model usable='yes'>486</model>");
    expect(labels({ domain, obsolete: ['Penryn'] })).toEqual({
      'cpu-model.node.kubevirt.io/486': 'true',
      'cpu-model-migration.node.kubevirt.io/486': 'true',
    });
  });

  test('node case 79: an obsolete host model is still named', () => {
    const domain = cpu(
      "<mode name='host-model'><model>Old</model><vendor>Intel</vendor><feature policy='require' name='ds'/><feature policy='disable' name='x'/></mode>",
    );
    expect(labels({ domain, obsolete: ['Old'] })).toEqual({
      'host-model-cpu.node.kubevirt.io/Old': 'true',
      'cpu-vendor.node.kubevirt.io/Intel': 'true',
      'host-model-required-features.node.kubevirt.io/ds': 'true',
      'node-labeller.kubevirt.io/obsolete-host-model': 'true',
    });
  });

  test('node case 80: only required features', () => {
    const supported =
      "<cpu><feature policy='require' name='apic'/><feature name='b'/><feature policy='disable' name='c'/></cpu>";
    expect(labels({ supported })).toEqual({ 'cpu-feature.node.kubevirt.io/apic': 'true' });
  });

  test('node cases 81 and 82: confidential computing', () => {
    const sev = (guests: number, snp: boolean) =>
      cpu(
        '',
        `<sev supported='yes'><maxESGuests>${guests}</maxESGuests></sev><launchSecurity supported='yes'><enum name='sectype'><value>sev</value>${snp ? '<value>sev-snp</value>' : ''}</enum></launchSecurity>`,
      );
    const names = (domain: string) => Object.keys(labels({ domain })).toSorted();
    expect(names(sev(15, true))).toEqual(['kubevirt.io/sev', 'kubevirt.io/sev-es', 'kubevirt.io/sev-snp']);
    expect(names(sev(15, false))).toEqual(['kubevirt.io/sev', 'kubevirt.io/sev-es']);
    expect(names(sev(0, true))).toEqual(['kubevirt.io/sev']);
    expect(names(cpu('', "<sev supported='no'/><tdx supported='no'/>"))).toEqual([]);
    expect(names(cpu('', "<tdx supported='yes'/>"))).toEqual(['kubevirt.io/tdx']);
  });

  test('node case 83: timer', () => {
    const counter = (name: string, scaling: string) =>
      capabilities(`<counter name='${name}' frequency='4008012000' scaling='${scaling}'/>`);
    expect(labels({ host: counter('tsc', 'no') })).toEqual({
      'cpu-timer.node.kubevirt.io/tsc-frequency': '4008012000',
      'cpu-timer.node.kubevirt.io/tsc-scalable': 'false',
    });
    expect(labels({ host: counter('tsc', 'yes') })['cpu-timer.node.kubevirt.io/tsc-scalable']).toBe('true');
    expect(labels({ host: counter('hpet', 'no') })).toEqual({});
  });

  test('node case 84: machines of all guests', () => {
    const guest = (...names: string[]) =>
      `<guest><arch name='x'>${names.map((n) => `<machine maxCpus='1'>${n}</machine>`).join('')}</arch></guest>`;
    expect(labels({ host: capabilities('', guest('q35', 'pc-q35-9.0') + guest('q35')) })).toEqual({
      'machine-type.node.kubevirt.io/q35': 'true',
      'machine-type.node.kubevirt.io/pc-q35-9.0': 'true',
    });
  });

  test('node case 88: realtime', () => {
    expect(labels({ realtime: '-1' })).toEqual({ 'kubevirt.io/realtime': 'true' });
    expect(labels({ realtime: '950000' })).toEqual({});
  });

  test('node case 70: foreign labels are kept, own stale ones removed', () => {
    const before = { foreign: 'x', 'kubevirt.io/schedulable': 'true', 'cpu-model.node.kubevirt.io/Old': 'true' };
    expect(relabelled(before, { 'cpu-model.node.kubevirt.io/New': 'true' })).toEqual({
      foreign: 'x',
      'kubevirt.io/schedulable': 'true',
      'cpu-model.node.kubevirt.io/New': 'true',
    });
  });
});

const recorded = fileURLToPath(new URL('../../../../../shared/data/libvirt/', import.meta.url));
const skip = !existsSync(recorded);

describe.skipIf(skip)(
  `labels of recorded hosts${skip ? ' (skipped: no recorded data beside the checkout)' : ''}`,
  () => {
    const read = (name: string) => readFileSync(`${recorded}${name}`, 'utf8');

    test('a host with SEV-SNP', () => {
      expect(
        labels({ domain: read('virsh_domcapabilities.xml'), supported: read('supported_features.xml') }),
      ).toMatchObject({
        'cpu-feature.node.kubevirt.io/vmx': 'true',
        'cpu-model.node.kubevirt.io/Penryn': 'true',
        'cpu-model-migration.node.kubevirt.io/EPYC-IBPB': 'true',
        'host-model-cpu.node.kubevirt.io/Skylake-Client-IBRS': 'true',
        'kubevirt.io/sev-snp': 'true',
      });
    });

    test.each([
      ['domcapabilities_nosev.xml', []],
      ['domcapabilities_sev.xml', ['kubevirt.io/sev', 'kubevirt.io/sev-es']],
      ['domcapabilities_noseves.xml', ['kubevirt.io/sev']],
      ['domcapabilities_sevsnp.xml', ['kubevirt.io/sev', 'kubevirt.io/sev-es', 'kubevirt.io/sev-snp']],
      ['domcapabilities_tdx.xml', ['kubevirt.io/tdx']],
    ])('confidential computing of %s', (file, expected) => {
      const held = Object.keys(labels({ domain: read(file) })).filter((key) => /^kubevirt.io\/(sev|tdx)/.test(key));
      expect(held.toSorted()).toEqual(expected);
    });

    test('a host on which nothing is usable has no usable model', () => {
      const all = Object.keys(labels({ domain: read('virsh_domcapabilities_nothing_usable.xml') }));
      expect(all.filter((key) => key.startsWith('cpu-model.node.kubevirt.io/'))).toEqual([]);
    });
  },
);
