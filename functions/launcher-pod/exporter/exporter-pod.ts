import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { KubeObject, Pod } from '../../core/objects.ts';
import { present } from '../present.ts';
import { supportResources } from '../resources/support-resources.ts';
import { exporterPodName } from './exporter-pod-name.ts';

const DEFAULTS = { requests: { cpu: '100m', memory: '200Mi' }, limits: { cpu: '1', memory: '1Gi' } };

/**
 * What every export server's pod begins as (launcher-pod.md 19); the export controller adds the rest. Nothing can fail here.
 *
 * @param virtualMachineExport metadata of the VirtualMachineExport
 */
export function exporterPod(
  virtualMachineExport: Pick<KubeObject['metadata'], 'name' | 'namespace' | 'uid'>,
  configuration: ClusterConfiguration,
): { readonly type: 'rendered'; readonly pod: Pod } {
  const { name, namespace, uid = '' } = virtualMachineExport;
  const owner = { apiVersion: 'export.kubevirt.io/v1', kind: 'VirtualMachineExport', name, uid };
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: present({
      name: exporterPodName(name),
      namespace,
      labels: { 'kubevirt.io': 'virt-exporter' },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    }),
    spec: {
      restartPolicy: 'Never',
      containers: [
        present({
          name: 'exporter',
          image: configuration.process.exporterImage,
          imagePullPolicy: configuration.kubevirt.imagePullPolicy,
          env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: supportResources(configuration, 'vmexport', DEFAULTS, false).resources,
        }),
      ],
    },
  };
  return { type: 'rendered', pod };
}
