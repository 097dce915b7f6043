/** TPL-09, pull request 15684 of KubeVirt: one helper container did not take over the cluster's pull policy. */
import { expect, test } from 'vitest';
import { claim, render, vmi, withoutGates } from '../functions/launcher-pod/fixture.ts';

const binding = { p: { sidecarImage: 'plugin' } };
const instance = vmi({
  spec: {
    networks: [{ name: 'default', pod: {} }],
    volumes: [
      { name: 'shared', persistentVolumeClaim: { claimName: 'shared' } },
      { name: 'boot', containerDisk: { image: 'boot', imagePullPolicy: 'Never' } },
    ],
  },
  devices: {
    interfaces: [{ name: 'default', binding: { name: 'p' } }],
    filesystems: [{ name: 'shared', virtiofs: {} }],
    logSerialConsole: true,
  },
});

test.each<[string, object]>([
  ['image volumes', {}],
  ['container disks', withoutGates('ImageVolume').configuration ?? {}],
])("TPL-09: all containers with the cluster's images have the cluster's policy, with %s", (_, gates) => {
  const configuration = { ...gates, imagePullPolicy: 'Always', network: { binding } };
  const { spec } = render(instance, { configuration, related: { claims: [claim('shared')] } });
  const all = [...spec.containers, ...(spec.initContainers ?? [])];
  const theirs = all.filter((c) => c.image !== 'boot');
  expect(theirs.map((c) => c.name)).toEqual(
    expect.arrayContaining(['compute', 'guest-console-log', 'virtiofs-shared', 'hook-sidecar-0']),
  );
  expect(theirs.filter((c) => c.imagePullPolicy !== 'Always').map((c) => c.name)).toEqual([]);
  const launcher = spec.volumes?.find((v) => v.name === 'launcher-volume')?.image;
  expect(launcher?.pullPolicy ?? 'Always').toBe('Always');
  // The image that the VMI names has the VMI's own.
  expect(all.filter((c) => c.image === 'boot').every((c) => c.imagePullPolicy === 'Never')).toBe(true);
});
