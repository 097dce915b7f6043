import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { unitsOf } from '../quantities.ts';
import { gaugeOf, identityOf, type ObjectFamily, type Sample, unixSeconds } from '../scraped-family.ts';
import { vnicLabels, vnicsOf } from '../vnic.ts';
import { isEvictable } from './evictable.ts';
import { launcherPodOf } from './launcher-pod-of.ts';
import { migrationNameOf, migrationStatusOf } from './migration-state.ts';
import { vmiInfo } from './vmi-info.ts';

type Vmi = VirtualMachineInstance;
const gauge = gaugeOf<Vmi>();
const OVERHEAD = 'kubevirt.io/memory-overhead-bytes';

const nodeAndName = (vmi: Vmi) => ({ node: vmi.status?.nodeName ?? '', ...identityOf(vmi) });

const nonEvictable = gauge({
  name: 'kubevirt_vmi_non_evictable',
  help: 'Whether an eviction of the VMI has to wait, since it should migrate and cannot.',
  labels: ['node', 'namespace', 'name'],
  samplesOf: (vmi, { configuration }) => [
    { labels: nodeAndName(vmi), value: isEvictable(vmi, configuration()) ? 0 : 1 },
  ],
});

const addresses = gauge({
  name: 'kubevirt_vmi_status_addresses',
  help: "The VMI's interfaces with their addresses.",
  labels: ['node', 'namespace', 'name', 'vnic_name', 'interface_name', 'address', 'type'],
  samplesOf: (vmi) =>
    (vmi.status?.interfaces ?? []).flatMap(({ name = '', interfaceName = '', ipAddress = '' }) => {
      if (name === '' && interfaceName === '' && ipAddress === '') return [];
      const type = ipAddress === '' ? 'SystemInterface' : 'ExternalInterface';
      const labels = { ...nodeAndName(vmi), vnic_name: name, interface_name: interfaceName, address: ipAddress, type };
      return [{ labels, value: 1 }];
    }),
});

const migrationStart = gauge({
  name: 'kubevirt_vmi_migration_start_time_seconds',
  help: "When the VMI's last migration began, Unix time.",
  labels: ['node', 'namespace', 'name', 'migration_name'],
  samplesOf: (vmi, { caches }) =>
    at(vmi.status?.migrationState?.startTimestamp, () => ({
      ...nodeAndName(vmi),
      migration_name: migrationNameOf(vmi, caches),
    })),
});

const migrationEnd = gauge({
  name: 'kubevirt_vmi_migration_end_time_seconds',
  help: "When the VMI's last migration ended, Unix time.",
  labels: ['node', 'namespace', 'name', 'migration_name', 'status'],
  samplesOf: (vmi, { caches }) =>
    at(vmi.status?.migrationState?.endTimestamp, () => ({
      ...nodeAndName(vmi),
      migration_name: migrationNameOf(vmi, caches),
      status: migrationStatusOf(vmi),
    })),
});

const vnics = gauge({
  name: 'kubevirt_vmi_vnic_info',
  help: "The VMI's interfaces and what they are bound to.",
  labels: vnicLabels,
  samplesOf: (vmi) => vnicsOf(vmi.spec).map((vnic) => ({ labels: { ...identityOf(vmi), ...vnic }, value: 1 })),
});

/** Not calculated here: the launcher pod bears what it was rendered with. */
const overhead = gauge({
  name: 'kubevirt_vmi_launcher_memory_overhead_bytes',
  help: "Memory that the VMI's launcher pod needs beside the guest's.",
  labels: ['namespace', 'name'],
  samplesOf: (vmi, { caches }) => {
    const rendered = launcherPodOf(vmi, caches)?.metadata.annotations?.[OVERHEAD];
    const value = unitsOf(vmi.status?.memory?.memoryOverhead ?? rendered);
    return value === undefined ? [] : [{ labels: identityOf(vmi), value }];
  },
});

/** The scrape metrics of VMIs (runtime.md 12.6). */
export const vmiFamilies: readonly ObjectFamily<Vmi>[] = [
  vmiInfo,
  nonEvictable,
  addresses,
  migrationStart,
  migrationEnd,
  vnics,
  overhead,
];

function at<L extends string>(time: string | null | undefined, labels: () => Readonly<Record<L, string>>): Sample<L>[] {
  const value = unixSeconds(time);
  return value === undefined ? [] : [{ labels: labels(), value }];
}
