import type { JsonObject } from '../kube-client.ts';

export const SAMPLE_NAMESPACE = 'default';
export const SAMPLE_NAME = 'sample';

/** Beats after which the guest of `start -- --exit` powers off. */
export const BEATS_BEFORE_POWER_OFF = 5;

/** Images under the node agent's data folder; `local/<name>` in a containerDisk. */
export const images = { endless: 'sample', short: 'sample-short' } as const;

/** The sample VirtualMachine: a guest of 32 MiB that beats on its serial console. */
export function sampleVm(image: string, runStrategy: 'Always' | 'Once'): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: SAMPLE_NAME, namespace: SAMPLE_NAMESPACE },
    spec: {
      runStrategy,
      template: {
        metadata: { labels: { app: SAMPLE_NAME } },
        spec: {
          terminationGracePeriodSeconds: 5,
          domain: {
            memory: { guest: '32Mi' },
            machine: { type: 'q35' },
            devices: {
              disks: [{ name: 'boot', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            resources: {},
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'boot', containerDisk: { image: `local/${image}` } }],
        },
      },
    },
  };
}
