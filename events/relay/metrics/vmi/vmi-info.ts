import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { gaugeOf, identityOf } from '../scraped-family.ts';
import { type Reference, vendoredName } from '../vendored-name.ts';
import { isEvictable } from './evictable.ts';
import { launcherPodOf } from './launcher-pod-of.ts';

const OUTDATED = 'kubevirt.io/outdatedLauncherImage';

/** `kubevirt_vmi_info` (runtime.md 12.6): what a VMI is and runs. */
export const vmiInfo = gaugeOf<VirtualMachineInstance>()({
  name: 'kubevirt_vmi_info',
  help: 'What a VMI is, where it runs and what runs in it.',
  labels: [
    'node',
    'namespace',
    'name',
    'phase',
    'os',
    'workload',
    'flavor',
    'instance_type',
    'preference',
    'guest_os_kernel_release',
    'guest_os_machine',
    'guest_os_arch',
    'guest_os_name',
    'guest_os_version_id',
    'evictable',
    'outdated',
    'vmi_pod',
  ],
  samplesOf: (vmi, { caches, configuration }) => {
    const { annotations, labels } = vmi.metadata;
    const { status } = vmi;
    const guest = status?.guestOSInfo;
    return [
      {
        labels: {
          node: status?.nodeName ?? '',
          ...identityOf(vmi),
          phase: (status?.phase ?? '').toLowerCase(),
          os: annotations?.['vm.kubevirt.io/os'] ?? '',
          workload: annotations?.['vm.kubevirt.io/workload'] ?? '',
          flavor: annotations?.['vm.kubevirt.io/flavor'] ?? '',
          instance_type: vendoredName(caches, referenceOf(vmi, 'instancetype', 'Instancetype')),
          preference: vendoredName(caches, referenceOf(vmi, 'preference', 'Preference')),
          guest_os_kernel_release: guest?.kernelRelease ?? '',
          guest_os_machine: status?.machine?.type ?? '',
          guest_os_arch: guest?.machine ?? '',
          guest_os_name: guest?.name ?? '',
          guest_os_version_id: guest?.versionId ?? '',
          evictable: String(isEvictable(vmi, configuration())),
          outdated: String(labels?.[OUTDATED] !== undefined),
          vmi_pod: launcherPodOf(vmi, caches)?.metadata.name ?? '',
        },
        value: 1,
      },
    ];
  },
});

/** What the VMI's annotations name: the one of its namespace before the one of the cluster. */
function referenceOf(
  vmi: VirtualMachineInstance,
  annotation: 'instancetype' | 'preference',
  kind: 'Instancetype' | 'Preference',
): Reference | undefined {
  const { annotations, namespace } = vmi.metadata;
  const name = annotations?.[`kubevirt.io/${annotation}-name`];
  if (name !== undefined) return { kind: `VirtualMachine${kind}`, namespace, name };
  const cluster = annotations?.[`kubevirt.io/cluster-${annotation}-name`];
  return cluster === undefined ? undefined : { kind: `VirtualMachineCluster${kind}`, name: cluster };
}
