import type { VirtualMachine } from '../../../../functions/core/objects.ts';
import { gaugeOf, identityOf, type ObjectFamily, unixSeconds } from '../scraped-family.ts';
import { vnicLabels, vnicsOf } from '../vnic.ts';
import { diskSize } from './disk-size.ts';
import { labelNameOf } from './label-filter.ts';
import { resourceFamilies } from './resource-families.ts';
import { transitionFamilies } from './transition-families.ts';
import { vmInfo } from './vm-info.ts';

const gauge = gaugeOf<VirtualMachine>();

const created = gauge({
  name: 'kubevirt_vm_create_date_timestamp_seconds',
  help: 'When a VM was created, Unix time.',
  labels: ['name', 'namespace'],
  samplesOf: (vm) => {
    const value = unixSeconds(vm.metadata.creationTimestamp);
    return value === undefined ? [] : [{ labels: identityOf(vm), value }];
  },
});

const vnics = gauge({
  name: 'kubevirt_vm_vnic_info',
  help: "The interfaces of a VM's template and what they are bound to.",
  labels: vnicLabels,
  samplesOf: (vm) =>
    vnicsOf(vm.spec.template?.spec).map((vnic) => ({ labels: { ...identityOf(vm), ...vnic }, value: 1 })),
});

const labels: ObjectFamily<VirtualMachine> = {
  name: 'kubevirt_vm_labels',
  help: "A VM's own labels, as far as the cluster allows.",
  type: 'gauge',
  labels: undefined,
  samplesOf: (vm, { vmLabels }) => {
    const ofTemplate = (vm.spec.template?.metadata as { labels?: Record<string, string> } | undefined)?.labels;
    const { allows } = vmLabels();
    const shown = Object.entries({ ...vm.metadata.labels, ...ofTemplate }).filter(([key]) => allows(key));
    if (shown.length === 0) return [];
    const named = Object.fromEntries(shown.map(([key, value]) => [labelNameOf(key), value]));
    return [{ labels: { ...named, ...identityOf(vm) }, value: 1 }];
  },
};

/** The scrape metrics of VMs (runtime.md 12.7). */
export const vmFamilies: readonly ObjectFamily<VirtualMachine>[] = [
  ...transitionFamilies,
  vmInfo,
  ...resourceFamilies,
  diskSize,
  created,
  vnics,
  labels,
];
