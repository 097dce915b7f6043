import { expect, test } from 'vitest';
import { exporterPod } from '../../../functions/launcher-pod/exporter/exporter-pod.ts';
import { exporterPodName } from '../../../functions/launcher-pod/exporter/exporter-pod-name.ts';
import { clusterConfiguration } from './fixture.ts';

test('pod case 123: the name fits, or is told apart by a hash', () => {
  expect(exporterPodName('e'.repeat(60))).toBe('virt-export-cdf9e072');
  expect(exporterPodName('e'.repeat(51))).toBe(`virt-export-${'e'.repeat(51)}`);
  expect(exporterPodName('e'.repeat(51))).toHaveLength(63);
  expect(exporterPodName('e'.repeat(52))).toBe(`v-efa2f187-${'e'.repeat(52)}`);
  expect(exporterPodName('e'.repeat(60))).not.toBe(exporterPodName('f'.repeat(60)));
});

test('launcher-pod.md 19: the whole pod', () => {
  const { pod } = exporterPod({ name: 'e', namespace: 'ns', uid: 'e-uid' }, clusterConfiguration());
  expect(pod).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'virt-export-e',
      namespace: 'ns',
      labels: { 'kubevirt.io': 'virt-exporter' },
      ownerReferences: [
        {
          apiVersion: 'export.kubevirt.io/v1',
          kind: 'VirtualMachineExport',
          name: 'e',
          uid: 'e-uid',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name: 'exporter',
          image: 'virt-exportserver',
          imagePullPolicy: 'IfNotPresent',
          env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { cpu: '100m', memory: '200Mi' }, limits: { cpu: '1', memory: '1Gi' } },
        },
      ],
    },
  });
});
