import type { VirtualMachine } from '../../../../functions/core/objects.ts';
import { unitsOf } from '../quantities.ts';
import { gaugeOf, identityOf, type ObjectFamily } from '../scraped-family.ts';

type Domain = NonNullable<NonNullable<VirtualMachine['spec']['template']>['spec']>['domain'];

interface Amount {
  readonly resource: 'memory' | 'cpu';
  readonly unit: string;
  readonly source: string;
  readonly value: number | undefined;
}

const topology = ['cores', 'threads', 'sockets'] as const;
const gauge = gaugeOf<VirtualMachine>();

const requests = gauge({
  name: 'kubevirt_vm_resource_requests',
  help: 'What a VM asks for, by where it says so.',
  labels: ['name', 'namespace', 'resource', 'unit', 'source'],
  samplesOf: (vm) => {
    const domain = vm.spec.template?.spec?.domain;
    if (domain === undefined) return [];
    return [...memoryOf(domain), ...cpuOf(domain)].flatMap(({ resource, unit, source, value }) =>
      value === undefined ? [] : [{ labels: { ...identityOf(vm), resource, unit, source }, value }],
    );
  },
});

const limits = gauge({
  name: 'kubevirt_vm_resource_limits',
  help: 'What a VM may use at most.',
  labels: ['name', 'namespace', 'resource', 'unit'],
  samplesOf: (vm) => {
    const given = vm.spec.template?.spec?.domain?.resources?.limits;
    const amounts = [
      { resource: 'memory', unit: 'bytes', value: unitsOf(given?.['memory'] as string | undefined) },
      { resource: 'cpu', unit: 'cores', value: unitsOf(given?.['cpu'] as string | undefined) },
    ];
    return amounts.flatMap(({ resource, unit, value }) =>
      value === undefined ? [] : [{ labels: { ...identityOf(vm), resource, unit }, value }],
    );
  },
});

/** `kubevirt_vm_resource_requests` and `..._limits` (runtime.md 12.7, "Resources"). */
export const resourceFamilies: readonly ObjectFamily<VirtualMachine>[] = [requests, limits];

function memoryOf({ memory, resources }: Domain): readonly Amount[] {
  const of = (source: string, value: number | undefined): Amount => ({
    resource: 'memory',
    unit: 'bytes',
    source,
    value,
  });
  const requested = unitsOf(resources?.requests?.['memory'] as string | undefined);
  const limit = unitsOf(resources?.limits?.['memory'] as string | undefined);
  const guest = unitsOf(memory?.guest);
  return [
    of('domain', requested),
    of('guest', guest),
    of('hugepages', unitsOf(memory?.hugepages?.pageSize)),
    of('guest_effective', guest ?? requested ?? limit),
  ];
}

function cpuOf({ cpu, resources }: Domain): readonly Amount[] {
  const of = (unit: string, source: string, value: number | undefined): Amount => ({
    resource: 'cpu',
    unit,
    source,
    value,
  });
  const requested = unitsOf(resources?.requests?.['cpu'] as string | undefined);
  const product = topology.reduce((all, part) => all * (cpu?.[part] || 1), 1);
  return [
    ...topology.map((part) => of(part, 'domain', cpu?.[part] || undefined)),
    of('cores', 'requests', requested),
    ...(cpu === undefined && requested === undefined ? topology.map((part) => of(part, 'default', 1)) : []),
    of('cores', 'guest_effective', product),
  ];
}
