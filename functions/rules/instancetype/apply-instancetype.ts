import type { MemberPath } from '../../core/written-form/misfit.ts';
import { withMissingAnnotations } from './annotations.ts';
import { setCpu } from './instancetype-cpu.ts';
import { setMemory } from './instancetype-memory.ts';
import type { Applied, InstanceSpec, InstancetypeSpec, Profile, Target } from './profile.ts';
import { isNonZero, isPresent } from './set-members.ts';

type Row = (draft: InstanceSpec, instancetype: InstancetypeSpec) => readonly MemberPath[];

/**
 * An instance type applied to a VMI or a template (vm.md 10.4). It sets members and never replaces one: what the target has
 * already is a conflict. All conflicts are told; with any, nothing is applied.
 *
 * The target stays as it is. The preference has a say in the CPU topology.
 */
export function applyInstancetype<T extends Target>(target: T, profile: Profile): Applied<T> {
  const { instancetype } = profile;
  if (instancetype === undefined) return { type: 'applied', target };
  const spec = structuredClone(target.spec);
  spec.domain = { ...spec.domain, devices: { ...spec.domain?.devices } };
  const cpu: Row = ({ domain }) => setCpu(domain, profile);
  const memory: Row = ({ domain }) => setMemory(domain, instancetype);
  const fields = [
    nodeSelector,
    schedulerName,
    cpu,
    memory,
    ioThreads,
    ioThreadsPolicy,
    launchSecurity,
    devices,
  ].flatMap((row) => row(spec, instancetype));
  const annotated = withAnnotations(target, instancetype.annotations);
  const conflicts = [...fields, ...annotated.conflicts];
  return conflicts.length > 0
    ? { type: 'conflict', fields: conflicts }
    : { type: 'applied', target: { ...annotated.target, spec } };
}

function nodeSelector(draft: InstanceSpec, instancetype: InstancetypeSpec): readonly MemberPath[] {
  if (!isNonZero(instancetype.nodeSelector)) return [];
  const conflict = isNonZero(draft.nodeSelector);
  draft.nodeSelector = { ...instancetype.nodeSelector };
  return conflict ? [['spec', 'nodeSelector']] : [];
}

function schedulerName(draft: InstanceSpec, instancetype: InstancetypeSpec): readonly MemberPath[] {
  if (!isNonZero(instancetype.schedulerName)) return [];
  const conflict = isNonZero(draft.schedulerName);
  draft.schedulerName = instancetype.schedulerName;
  return conflict ? [['spec', 'schedulerName']] : [];
}

function ioThreads({ domain }: InstanceSpec, instancetype: InstancetypeSpec): readonly MemberPath[] {
  const count = instancetype.ioThreads?.supplementalPoolThreadCount;
  if (!isPresent(count)) return [];
  const conflict = isPresent(domain.ioThreads?.supplementalPoolThreadCount);
  domain.ioThreads = { ...domain.ioThreads, supplementalPoolThreadCount: count };
  return conflict ? [['spec', 'domain', 'ioThreads', 'supplementalPoolThreadCount']] : [];
}

function ioThreadsPolicy({ domain }: InstanceSpec, instancetype: InstancetypeSpec): readonly MemberPath[] {
  if (!isPresent(instancetype.ioThreadsPolicy)) return [];
  const conflict = isPresent(domain.ioThreadsPolicy);
  domain.ioThreadsPolicy = instancetype.ioThreadsPolicy;
  return conflict ? [['spec', 'domain', 'ioThreadsPolicy']] : [];
}

function launchSecurity({ domain }: InstanceSpec, instancetype: InstancetypeSpec): readonly MemberPath[] {
  if (!isPresent(instancetype.launchSecurity)) return [];
  const conflict = isPresent(domain.launchSecurity);
  domain.launchSecurity = structuredClone(instancetype.launchSecurity);
  return conflict ? [['spec', 'domain', 'launchSecurity']] : [];
}

function devices({ domain }: InstanceSpec, { gpus, hostDevices }: InstancetypeSpec): readonly MemberPath[] {
  const given = domain.devices;
  domain.devices = {
    ...given,
    ...(isNonZero(gpus) ? { gpus: structuredClone(gpus) } : {}),
    ...(isNonZero(hostDevices) ? { hostDevices: structuredClone(hostDevices) } : {}),
  };
  return [
    ...(isNonZero(gpus) && isNonZero(given.gpus) ? [['spec', 'domain', 'devices', 'gpus']] : []),
    ...(isNonZero(hostDevices) && isNonZero(given.hostDevices) ? [['spec', 'domain', 'devices', 'hostDevices']] : []),
  ];
}

interface Annotated<T> {
  readonly target: T;
  readonly conflicts: readonly MemberPath[];
}

/** Annotations that are missing; one with another value is a conflict. */
function withAnnotations<T extends Target>(target: T, wanted: Readonly<Record<string, string>> = {}): Annotated<T> {
  const given = target.metadata?.annotations ?? {};
  const other = Object.keys(wanted).filter((key) => Object.hasOwn(given, key) && given[key] !== wanted[key]);
  return {
    target: withMissingAnnotations(target, wanted),
    conflicts: other.map((key) => ['metadata', 'annotations', key]),
  };
}
