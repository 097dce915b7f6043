import { describe, expect, test } from 'vitest';
import { defaultConfiguration, defaultProcessParameters } from '../../../../functions/core/configuration/defaults.ts';
import { type FeatureGate, gateEnabled } from '../../../../functions/core/configuration/feature-gates.ts';
import { resolveConfiguration } from '../../../../functions/core/configuration/resolve.ts';
import type { KubeVirtConfiguration } from '../../../../functions/core/newer-fields.ts';
import type { KubeVirt } from '../../../../functions/core/objects.ts';

const NAMESPACE = 'kubevirt';

/** Takes any JSON: what users write need not fit the type. */
function kubevirt(configuration: object, metadata: Partial<KubeVirt['metadata']> = {}): KubeVirt {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: NAMESPACE, resourceVersion: '1', ...metadata },
    spec: { configuration: configuration as KubeVirtConfiguration },
    status: { phase: 'Deployed' },
  };
}

type Previous = Parameters<typeof resolveConfiguration>[0];
const resolve = (objects: readonly KubeVirt[], previous?: Previous) =>
  resolveConfiguration(previous, objects, NAMESPACE, defaultProcessParameters);
const resolved = (configuration: object) => resolve([kubevirt(configuration)]);
const defaults = defaultConfiguration(NAMESPACE, defaultProcessParameters);
const seven = { migrations: { parallelMigrationsPerCluster: 7 } };

describe('which object', () => {
  test('runtime case 50: no KubeVirt object leaves the defaults', () => {
    expect(resolve([])).toEqual(defaults);
  });

  test('runtime case 51: an object without a phase is ignored', () => {
    const { status: _, ...unphased } = kubevirt(seven);
    expect(resolve([unphased])).toEqual(defaults);
    expect(resolve([{ ...unphased, status: { phase: '' } }])).toEqual(defaults);
  });

  test('runtime case 52, pod case 125: while the object is being deleted the last valid configuration stays', () => {
    const valid = resolved(seven);
    const dying = kubevirt({}, { resourceVersion: '2', deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(resolve([dying], valid)).toEqual(valid);
    expect(resolve([dying])).toEqual(defaults);
  });

  test('runtime case 53: an object of another namespace is ignored', () => {
    expect(resolve([kubevirt(seven, { namespace: 'elsewhere' })])).toEqual(defaults);
  });

  test('the last one listed counts', () => {
    const result = resolve([kubevirt({}, { name: 'a' }), kubevirt(seven, { name: 'b', resourceVersion: '9' })]);
    expect(result.kubevirt.migrations?.parallelMigrationsPerCluster).toBe(7);
    expect(result.resourceVersion).toBe('9');
  });
});

describe('merge', () => {
  test('runtime case 54: one migration value leaves the others', () => {
    expect(resolved(seven).kubevirt.migrations).toEqual({
      ...defaults.kubevirt.migrations,
      parallelMigrationsPerCluster: 7,
    });
  });

  test('runtime case 55: a plain zero counts as absent, a nullable one overrides, a negative overcommit is invalid', () => {
    expect(resolved({ developerConfiguration: { memoryOvercommit: 0 } }).kubevirt).toEqual(defaults.kubevirt);
    const zero = resolved({ migrations: { parallelMigrationsPerCluster: 0 } });
    expect(zero.kubevirt.migrations?.parallelMigrationsPerCluster).toBe(0);

    const valid = resolved(seven);
    const negative = kubevirt(
      { developerConfiguration: { memoryOvercommit: -1, featureGates: ['Root'] } },
      { resourceVersion: '2' },
    );
    expect(resolve([negative], valid)).toEqual(valid);
  });

  test('explicit false of a nullable boolean overrides; of a plain one it counts as absent', () => {
    const { kubevirt: merged } = resolved({
      network: { permitBridgeInterfaceOnPodNetwork: false },
      developerConfiguration: { useEmulation: false },
    });
    expect(merged.network).toEqual({ defaultNetworkInterface: 'bridge', permitBridgeInterfaceOnPodNetwork: false });
    expect(merged.developerConfiguration).toEqual(defaults.kubevirt.developerConfiguration);
  });

  test('presence of an empty object is kept, empty lists and strings are not', () => {
    const { kubevirt: merged } = resolved({
      virtualMachineOptions: { disableSerialConsoleLog: {} },
      imagePullPolicy: '',
      hypervisors: [],
    });
    expect(merged.virtualMachineOptions).toEqual({ disableSerialConsoleLog: {} });
    expect(merged.imagePullPolicy).toBe('IfNotPresent');
    expect(merged.hypervisors).toEqual([{ name: 'kvm' }]);
  });

  test('runtime case 58: workload disruption is allowed where post-copy is', () => {
    expect(resolved({ migrations: { allowPostCopy: true } }).kubevirt.migrations?.allowWorkloadDisruption).toBe(true);
    const explicit = resolved({ migrations: { allowPostCopy: true, allowWorkloadDisruption: false } });
    expect(explicit.kubevirt.migrations?.allowWorkloadDisruption).toBe(false);
    expect(defaults.kubevirt.migrations?.allowWorkloadDisruption).toBe(false);
  });

  test('the default architecture comes from the status', () => {
    const object = kubevirt({ architectureConfiguration: { defaultArchitecture: 'amd64' } });
    const result = resolve([{ ...object, status: { phase: 'Deployed', defaultArchitecture: 'arm64' } }]);
    expect(result.defaultArchitecture).toBe('arm64');
    expect(result.kubevirt.architectureConfiguration?.defaultArchitecture).toBe('arm64');
  });

  test('the annotation for backup hooks follows the object even while its configuration is invalid', () => {
    const annotations = { 'kubevirt.io/skip-backup-hooks': 'true' };
    const skipping = resolve([kubevirt({ imagePullPolicy: 'Foo' }, { annotations })], resolved(seven));
    expect(skipping).toEqual({ ...resolved(seven), skipBackupHooks: 'true' });
    expect(resolve([kubevirt(seven)], skipping).skipBackupHooks).toBeUndefined();
  });
});

describe('validity', () => {
  test('runtime case 56: an unknown pull policy is invalid; the version in use stays', () => {
    const valid = resolved(seven);
    const result = resolve([kubevirt({ imagePullPolicy: 'Foo' }, { resourceVersion: '2' })], valid);
    expect(result.resourceVersion).toBe('1');
    expect(result).toEqual(valid);
  });

  test('runtime case 57: a valid version after an invalid one is used', () => {
    const invalid = resolve([kubevirt({ imagePullPolicy: 'Foo' })]);
    expect(invalid).toEqual(defaults);
    expect(
      resolve([kubevirt({ imagePullPolicy: 'Never' }, { resourceVersion: '2' })], invalid).kubevirt.imagePullPolicy,
    ).toBe('Never');
  });

  test('pod case 124: an invalid ratio takes a valid gate change with it', () => {
    const update = { developerConfiguration: { cpuAllocationRatio: -1, featureGates: ['Root'] } };
    expect(gateEnabled(resolved(update), 'Root')).toBe(false);
  });

  test.each([
    [{ developerConfiguration: { pvcTolerateLessSpaceUpToPercent: 101 } }],
    [{ network: { defaultNetworkInterface: 'macvtap' } }],
    [{ developerConfiguration: { memoryOvercommit: '100' } }],
    [{ cpuRequest: 'much' }],
  ])('invalid: %j', (configuration) => {
    expect(resolved(configuration)).toEqual(defaults);
  });
});

describe('feature gates', () => {
  const withGates = (featureGates: string[], disabledFeatureGates: string[] = []) =>
    resolved({ developerConfiguration: { featureGates, disabledFeatureGates } });

  test('runtime case 59, pod case 126: a Beta gate is on unless disabled; enabled wins', () => {
    expect(gateEnabled(defaults, 'ImageVolume')).toBe(true);
    expect(gateEnabled(withGates([], ['ImageVolume']), 'ImageVolume')).toBe(false);
    expect(gateEnabled(withGates(['ImageVolume'], ['ImageVolume']), 'ImageVolume')).toBe(true);
  });

  test('runtime case 60: a GA gate cannot be disabled', () => {
    const configuration = withGates([], ['VmiMemoryOverheadReport']);
    expect(gateEnabled(configuration, 'VmiMemoryOverheadReport')).toBe(true);
  });

  test('runtime case 61: an unknown gate is off', () => {
    const gates = ['NoSuchGate', 'constructor'];
    for (const gate of gates) expect(gateEnabled(withGates(gates), gate as FeatureGate)).toBe(false);
  });

  test('Alpha and Deprecated gates are off unless enabled', () => {
    expect(gateEnabled(defaults, 'Plugins')).toBe(false);
    expect(gateEnabled(defaults, 'DockerSELinuxMCSWorkaround')).toBe(false);
    expect(gateEnabled(withGates(['Plugins']), 'Plugins')).toBe(true);
  });
});
