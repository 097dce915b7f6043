import { expect, test } from 'vitest';
import { claim, render, type Surroundings, vmi } from './fixture.ts';

const Mi = 1024 * 1024;
const BASE = 301989888;

const overhead = (parts: Parameters<typeof vmi>[0], around?: Surroundings) =>
  Number(render(vmi(parts), around).metadata.annotations?.['kubevirt.io/memory-overhead-bytes']);
const ratio = (additionalGuestMemoryOverheadRatio: string) => ({
  configuration: { additionalGuestMemoryOverheadRatio },
});

test('check values of launcher-pod.md 11', () => {
  const requests = (memory: string, architecture = 'amd64') =>
    overhead({
      spec: { architecture },
      domain: { resources: { requests: { memory }, limits: { cpu: '2m' } } },
    });
  expect(requests('1G')).toBe(303943013);
  expect(requests('1G', 'arm64')).toBe(303943013 + 134217728);
  expect(requests('1Gi')).toBe(BASE + 2097152);
  expect(requests('4Gi')).toBe(BASE + 8388609);
  expect(requests('64M')).toBe(BASE + 125000);
  expect(overhead({}, ratio('1.5'))).toBe(452984888);
});

test('pod case 77: guest memory does not count, graphics does', () => {
  expect(overhead({ domain: { memory: { guest: '1Gi' }, cpu: { cores: 1 } } })).toBe(BASE);
  expect(overhead({ devices: { autoattachGraphicsDevice: false } })).toBe(BASE - 32 * Mi);
});

test('pod case 78: vCPUs by limit, request, or one', () => {
  const cpus = (limits: object, requests: object) => overhead({ domain: { resources: { limits, requests } } });
  expect(cpus({ cpu: '5' }, { cpu: '3' })).toBe(BASE + 4 * 8 * Mi);
  expect(cpus({}, { cpu: '3' })).toBe(BASE + 2 * 8 * Mi);
  expect(cpus({}, {})).toBe(BASE);
});

test('pod case 79: exec probes', () => {
  const probe = { exec: { command: ['x'] } };
  expect(overhead({ spec: { livenessProbe: probe, readinessProbe: probe } })).toBe(BASE + 120 * Mi);
  expect(overhead({ spec: { readinessProbe: probe } })).toBe(BASE + 110 * Mi);
});

test('pod case 80: the ratio', () => {
  expect(overhead({}, ratio('3.2'))).toBe(BASE + 1000 * Math.trunc(301990 * (3.2 - 1)));
  // 0.4 of 301990000 is 120796000; the original loses 1000 to its floating point.
  expect(overhead({}, ratio('1.4'))).toBe(BASE + 120_795_000);
  expect(overhead({}, ratio('no_float'))).toBe(BASE);
  expect(overhead({}, ratio(''))).toBe(BASE);
});

test('pod case 81: networks are not multiplied', () => {
  const interfaces = [
    { name: 'a', binding: { name: 'p' } },
    { name: 'b', binding: { name: 'p' } },
    { name: 'c', passtBinding: {} },
  ];
  const binding = { p: { computeResourceOverhead: { requests: { memory: '500Mi' } } } };
  const configuration = { network: { binding }, additionalGuestMemoryOverheadRatio: '2' };
  const doubled = BASE + 1000 * 301990;
  expect(overhead({ devices: { interfaces } }, { configuration })).toBe(doubled + 750 * Mi);
});

test('pod case 82: reserved overhead is added before the ratio', () => {
  const parts = { domain: { memory: { reservedOverhead: { addedOverhead: '100G' } } } };
  const sum = BASE + 100e9;
  expect(overhead(parts)).toBe(sum);
  expect(overhead(parts, ratio('2'))).toBe(sum + 1000 * Math.ceil(sum / 1000));
});

test('pod case 83: guaranteed', () => {
  const equal = { cpu: '1', memory: '1Gi' };
  const guaranteed = (requests: object) => overhead({ domain: { resources: { requests, limits: equal } } });
  expect(guaranteed(equal)).toBe(BASE + 2097152 + 100 * Mi);
  expect(guaranteed({ cpu: '1' })).toBe(BASE + 100 * Mi);
  expect(guaranteed({ cpu: '2', memory: '1Gi' })).toBe(BASE + 2097152);
});

test('pod case 93: downward metrics', () => {
  const volumes = [{ name: 'm', downwardMetrics: {} }];
  expect(overhead({ spec: { volumes } })).toBe(BASE + Mi);
  const mounted = render(vmi({ spec: { volumes } })).spec;
  expect(mounted.volumes).toContainEqual({ name: 'm', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } });
  expect(overhead({ devices: { downwardMetrics: {} } })).toBe(BASE);
});

test('a TPM and devices through VFIO', () => {
  expect(overhead({ devices: { tpm: {} } })).toBe(BASE + 53 * Mi);
  expect(overhead({ devices: { tpm: { enabled: false } } })).toBe(BASE);
  const interfaces = [{ name: 'a', sriov: {} }];
  expect(overhead({ devices: { interfaces, hostDevices: [{ name: 'h', deviceName: 'd' }] } })).toBe(BASE + 1024 * Mi);
  const claims = [claim('persistent-state-for-v')];
  const related = { claims, ...(claims[0] === undefined ? {} : { backendStorageClaim: claims[0] }) };
  expect(overhead({ devices: { tpm: { persistent: true } } }, { related })).toBe(BASE + 53 * Mi);
});
