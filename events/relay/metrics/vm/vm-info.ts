import type { VirtualMachine } from '../../../../functions/core/objects.ts';
import { gaugeOf, identityOf } from '../scraped-family.ts';
import { type Reference, vendoredName } from '../vendored-name.ts';
import { statusGroupOf } from './status-group.ts';

/** `kubevirt_vm_info` (runtime.md 12.7): what a VM is to run, and how it stands. */
export const vmInfo = gaugeOf<VirtualMachine>()({
  name: 'kubevirt_vm_info',
  help: 'What a VM is and how it stands.',
  labels: [
    'name',
    'namespace',
    'os',
    'workload',
    'flavor',
    'machine_type',
    'instance_type',
    'preference',
    'status',
    'status_group',
  ],
  samplesOf: (vm, { caches }) => {
    const { template, instancetype, preference } = vm.spec;
    const annotations = (template?.metadata as { annotations?: Record<string, string> } | undefined)?.annotations;
    const status = vm.status?.printableStatus;
    return [
      {
        labels: {
          ...identityOf(vm),
          os: annotations?.['vm.kubevirt.io/os'] ?? '',
          workload: annotations?.['vm.kubevirt.io/workload'] ?? '',
          flavor: annotations?.['vm.kubevirt.io/flavor'] ?? '',
          machine_type: template?.spec?.domain?.machine?.type ?? '',
          instance_type: vendoredName(caches, referenceOf(vm, instancetype, 'Instancetype')),
          preference: vendoredName(caches, referenceOf(vm, preference, 'Preference')),
          status: (status ?? '').toLowerCase(),
          status_group: statusGroupOf(status) ?? '<unknown>',
        },
        value: 1,
      },
    ];
  },
});

/** A matcher without kind means the cluster's, as admission would fill it in. */
function referenceOf(
  vm: VirtualMachine,
  matcher: { readonly kind?: string; readonly name?: string } | undefined,
  kind: 'Instancetype' | 'Preference',
): Reference | undefined {
  if (matcher?.name === undefined || matcher.name === '') return undefined;
  const namespaced = `VirtualMachine${kind}`;
  if (matcher.kind?.toLowerCase() === namespaced.toLowerCase())
    return { kind: namespaced, namespace: vm.metadata.namespace, name: matcher.name };
  return { kind: `VirtualMachineCluster${kind}`, name: matcher.name };
}
