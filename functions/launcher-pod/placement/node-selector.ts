import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { offeredFrequencyLabel } from '../../rules/tsc/tsc-labels.ts';
import type { Strings } from '../pod-types.ts';
import { isDedicated, manualTscFrequency } from '../predicates/cpu.ts';
import { isSecureExecution, isSev, isSevEs, isSevSnp, isTdx } from '../predicates/launch-security.ts';
import { type Reason, reason } from '../reason.ts';
import { hypervRules } from './hyperv-selectors.ts';

const ARCHITECTURE = 'kubernetes.io/arch';

/** One label that the pod's node must bear, and why. */
export interface SelectorRule {
  readonly key: string;
  readonly value: string;
  readonly because: string;
}

/** The rules of launcher-pod.md 7 in their order; where two have the same key, the later one holds. */
export function nodeSelectorRules(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly SelectorRule[] {
  const architecture = vmi.spec.architecture ?? '';
  const anyArchitecture = architecture !== '' && gateEnabled(configuration, 'CrossArchitectureVirtualization');
  const given = [
    rule('kubevirt.io/schedulable', 'a node on which KubeVirt places VMs'),
    ...(architecture === '' ? [] : [{ ...rule(ARCHITECTURE, 'spec.architecture'), value: architecture.toLowerCase() }]),
    ...rulesOf(configuration.kubevirt.developerConfiguration?.nodeSelectors, 'the cluster: developerConfiguration'),
    ...rulesOf(vmi.spec.nodeSelector, 'spec.nodeSelector'),
  ];
  return [
    // Even one that the user gave: the guest's architecture becomes a preference (affinity).
    ...(anyArchitecture ? given.filter((r) => r.key !== ARCHITECTURE) : given),
    ...capabilityRules(vmi, configuration),
    ...only(anyArchitecture, `kubevirt.io/vm-arch-${architecture}`, 'gate CrossArchitectureVirtualization'),
  ];
}

export function selectorOf(rules: readonly SelectorRule[]): Strings {
  return Object.fromEntries(rules.map(({ key, value }) => [key, value]));
}

export function selectorReasons(rules: readonly SelectorRule[]): readonly Reason[] {
  const last = new Map(rules.map((r) => [r.key, r.because]));
  return [...last].map(([key, because]) => reason(['spec', 'nodeSelector', key], because));
}

/** Labels that nodes with what the guest needs bear with value `true`. */
function capabilityRules(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): readonly SelectorRule[] {
  const machine = vmi.status?.machine?.type || vmi.spec.domain.machine?.type || '';
  const tscFrequency = manualTscFrequency(vmi);
  return [
    ...only(isDedicated(vmi), 'kubevirt.io/cpumanager', 'cpu.dedicatedCpuPlacement'),
    ...(gateEnabled(configuration, 'HypervStrictCheck') ? hypervRules(vmi) : []),
    ...cpuRules(vmi),
    ...only(machine !== '', `machine-type.node.kubevirt.io/${machine}`, 'the machine type'),
    ...only(
      tscFrequency !== undefined,
      offeredFrequencyLabel(tscFrequency ?? 0),
      'the guest relies on the time stamp counter',
    ),
    ...only(vmi.spec.domain.cpu?.realtime !== undefined, 'kubevirt.io/realtime', 'cpu.realtime'),
    ...only(isSev(vmi), 'kubevirt.io/sev', 'launchSecurity.sev or .snp'),
    ...only(isSevEs(vmi), 'kubevirt.io/sev-es', 'launchSecurity.sev.policy.encryptedState'),
    ...only(isSevSnp(vmi), 'kubevirt.io/sev-snp', 'launchSecurity.snp'),
    ...only(isSecureExecution(vmi), 'kubevirt.io/s390-pv', 'launchSecurity on s390x'),
    ...only(isTdx(vmi), 'kubevirt.io/tdx', 'launchSecurity.tdx'),
  ];
}

/** The model by name, and the features that it must have; features count only beside a model. */
function cpuRules(vmi: VirtualMachineInstance): readonly SelectorRule[] {
  const { model = '', features = [] } = vmi.spec.domain.cpu ?? {};
  if (model === '') return [];
  const named = model !== 'host-model' && model !== 'host-passthrough';
  const required = features.filter((f) => (f.policy ?? '') === '' || f.policy === 'require');
  return [
    ...only(named, `cpu-model.node.kubevirt.io/${model}`, 'cpu.model'),
    ...required.map((f) => rule(`cpu-feature.node.kubevirt.io/${f.name}`, 'cpu.features, required')),
  ];
}

function rulesOf(selector: Strings | undefined, because: string): readonly SelectorRule[] {
  return Object.entries(selector ?? {}).map(([key, value]) => ({ key, value, because }));
}

function rule(key: string, because: string): SelectorRule {
  return { key, value: 'true', because };
}

function only(condition: boolean, key: string, because: string): readonly SelectorRule[] {
  return condition ? [rule(key, because)] : [];
}
