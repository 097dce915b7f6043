import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../../functions/core/objects.ts';
import { foreignContainer, neededImages } from '../../../../infra/node/launcher/needed-images.ts';

const launcher = 'registry.example/virt-launcher:v1';
const podOf = (spec: Partial<Pod['spec']>): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { ...spec, containers: [{ name: 'compute', image: launcher }, ...(spec.containers ?? [])] },
});

describe('images that a launcher pod needs', () => {
  test('of containers that serve disks, and their init containers', () => {
    const image = 'registry.example/a:v1';
    const pod = podOf({
      initContainers: [
        { name: 'guest-console-log', image: launcher },
        { name: 'container-disk-binary', image: launcher },
        { name: 'volumeboot-init', image, imagePullPolicy: 'Always' },
        { name: 'volumekernel-boot-volume-init', image: 'registry.example/kernel' },
      ],
      containers: [
        { name: 'volumeboot', image, imagePullPolicy: 'Always' },
        { name: 'volumekernel-boot-volume', image: 'registry.example/kernel' },
      ],
    });
    expect(neededImages(pod)).toEqual([
      { volume: 'boot', containers: ['volumeboot-init', 'volumeboot'], reference: image, pullPolicy: 'Always' },
    ]);
    expect(foreignContainer(pod)).toBeUndefined();
  });

  test('of image volumes: the init container shows them, without it virt-launcher’s does', () => {
    const image = 'registry.example/a:v1';
    const volumes = [
      { name: 'boot-init', image: { reference: image, pullPolicy: 'Never' } },
      { name: 'launcher-volume', image: { reference: launcher } },
      { name: 'private', emptyDir: {} },
    ];
    const shown = podOf({ volumes, initContainers: [{ name: 'volumeboot-init', image, imagePullPolicy: 'Never' }] });
    expect(neededImages(shown)).toEqual([
      { volume: 'boot-init', containers: ['volumeboot-init'], reference: image, pullPolicy: 'Never' },
    ]);
    expect(neededImages(podOf({ volumes }))).toEqual([
      { volume: 'boot-init', containers: ['compute'], reference: image, pullPolicy: 'Never' },
    ]);
  });

  test('containers of other images are foreign', () => {
    const containers = [{ name: 'hook-sidecar-0', image: 'registry.example/hook' }];
    expect(foreignContainer(podOf({ containers }))).toBe('hook-sidecar-0');
  });
});
