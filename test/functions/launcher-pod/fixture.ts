/** Builders for tests of rendering: what a test does not say is absent. */

import type { ClusterConfiguration, ProcessParameters } from '../../../functions/core/configuration/configuration.ts';
import { defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import { resolveConfiguration } from '../../../functions/core/configuration/resolve.ts';
import type {
  KubeObject,
  KubeVirt,
  Namespace,
  PersistentVolumeClaim,
  ResourceQuota,
  VirtualMachineInstance,
} from '../../../functions/core/objects.ts';
import type { LauncherPodResult, LauncherPodVariant, RelatedObjects } from '../../../functions/launcher-pod/input.ts';
import type { Container } from '../../../functions/launcher-pod/pod-types.ts';
import { renderLauncherPod } from '../../../functions/launcher-pod/render-launcher-pod.ts';

export const UID = '6d1c0e0e-2f0c-4b7e-9a55-0d9a4f3a1c11';

interface VmiParts {
  readonly spec?: object;
  /** Beside `spec`, for the many tests that are about the domain alone. */
  readonly domain?: object;
  readonly devices?: object;
  readonly metadata?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly status?: object;
}

/** A VMI `v` in namespace `ns` that does not run as root; parts may be any JSON, as users' objects may. */
export function vmi(parts: VmiParts = {}): VirtualMachineInstance {
  const { annotations, labels } = parts;
  const object = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: 'v',
      namespace: 'ns',
      uid: UID,
      ...(annotations === undefined ? {} : { annotations }),
      ...(labels === undefined ? {} : { labels }),
      ...parts.metadata,
    },
    spec: { ...parts.spec, domain: { devices: { ...parts.devices }, ...parts.domain } },
    status: { phase: 'Pending', runtimeUser: 107, ...parts.status },
  };
  return object as unknown as VirtualMachineInstance;
}

export interface Surroundings {
  /** `spec.configuration` of the KubeVirt object. */
  readonly configuration?: object;
  readonly process?: Partial<ProcessParameters>;
  readonly related?: Partial<RelatedObjects>;
  readonly variant?: LauncherPodVariant;
  readonly ordinal?: number;
}

export function clusterConfiguration(
  given: object = {},
  process: Partial<ProcessParameters> = {},
): ClusterConfiguration {
  const kubevirt = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt', resourceVersion: '1' },
    spec: { configuration: given },
    status: { phase: 'Deployed' },
  } as KubeVirt;
  const resolved = resolveConfiguration(undefined, [kubevirt], 'kubevirt', { ...defaultProcessParameters, ...process });
  if (resolved.resourceVersion !== '1') throw new Error('the configuration of the test is invalid');
  return resolved;
}

export function gates(...featureGates: string[]): Surroundings {
  return { configuration: { developerConfiguration: { featureGates } } };
}

export function withoutGates(...disabledFeatureGates: string[]): Surroundings {
  return { configuration: { developerConfiguration: { disabledFeatureGates } } };
}

export function result(instance: VirtualMachineInstance, around: Surroundings = {}): LauncherPodResult {
  return renderLauncherPod({
    vmi: instance,
    configuration: clusterConfiguration(around.configuration, around.process),
    related: { claims: [], quotas: [], networkAttachments: [], sidecarConfigMaps: [], ...around.related },
    variant: around.variant ?? 'launch',
    ordinal: around.ordinal ?? 0,
  });
}

export function render(instance: VirtualMachineInstance, around: Surroundings = {}) {
  const rendered = result(instance, around);
  if (rendered.type === 'error') throw new Error(rendered.message);
  return rendered.pod;
}

export function problem(instance: VirtualMachineInstance, around: Surroundings = {}) {
  const rendered = result(instance, around);
  return rendered.type === 'error' ? rendered.problem : undefined;
}

export function compute(instance: VirtualMachineInstance, around: Surroundings = {}): Container {
  return named(render(instance, around).spec.containers, 'compute');
}

export function resources(instance: VirtualMachineInstance, around: Surroundings = {}) {
  const { requests = {}, limits = {}, claims } = compute(instance, around).resources ?? {};
  return { requests, limits, claims };
}

export function named<T extends { name: string }>(list: readonly T[] | undefined, name: string): T {
  const found = list?.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

export function names(list: readonly { name: string }[] | undefined): string[] {
  return (list ?? []).map((entry) => entry.name);
}

export function claim(name: string, spec: object = {}, metadata: object = {}): PersistentVolumeClaim {
  const object = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'ns', uid: `uid-${name}`, ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem', ...spec },
  };
  return object;
}

export function quota(hard: Record<string, string>, namespace = 'ns'): ResourceQuota {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace }, spec: { hard } };
}

export function namespaceWith(labels: Record<string, string>): Namespace {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns', labels } };
}

export function other(kind: string, name: string, annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'ns', annotations } };
}
