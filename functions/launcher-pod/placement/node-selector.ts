import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Strings } from '../pod-types.ts';
import { isDedicated, manualTscFrequency } from '../predicates/cpu.ts';
import { isSecureExecution, isSev, isSevEs, isSevSnp, isTdx } from '../predicates/launch-security.ts';
import { hypervSelectors } from './hyperv-selectors.ts';

const ARCHITECTURE = 'kubernetes.io/arch';

/** launcher-pod.md 7; later keys overwrite earlier ones. */
export function podNodeSelector(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): Strings {
  const architecture = vmi.spec.architecture ?? '';
  const anyArchitecture = architecture !== '' && gateEnabled(configuration, 'CrossArchitectureVirtualization');
  const selector: Record<string, string> = {
    'kubevirt.io/schedulable': 'true',
    ...(architecture === '' ? {} : { [ARCHITECTURE]: architecture.toLowerCase() }),
    ...configuration.kubevirt.developerConfiguration?.nodeSelectors,
    ...vmi.spec.nodeSelector,
  };
  // Even one that the user gave: the guest's architecture becomes a preference (affinity).
  if (anyArchitecture) delete selector[ARCHITECTURE];
  for (const key of capabilities(vmi, configuration)) selector[key] = 'true';
  if (anyArchitecture) selector[`kubevirt.io/vm-arch-${architecture}`] = 'true';
  return selector;
}

/** Labels that nodes with what the guest needs bear with value `true`. */
function capabilities(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): readonly string[] {
  const machine = vmi.status?.machine?.type || vmi.spec.domain.machine?.type || '';
  const tscFrequency = manualTscFrequency(vmi);
  return [
    ...only(isDedicated(vmi), 'kubevirt.io/cpumanager'),
    ...(gateEnabled(configuration, 'HypervStrictCheck') ? hypervSelectors(vmi) : []),
    ...cpuSelectors(vmi),
    ...only(machine !== '', `machine-type.node.kubevirt.io/${machine}`),
    ...only(tscFrequency !== undefined, `scheduling.node.kubevirt.io/tsc-frequency-${tscFrequency}`),
    ...only(vmi.spec.domain.cpu?.realtime !== undefined, 'kubevirt.io/realtime'),
    ...only(isSev(vmi), 'kubevirt.io/sev'),
    ...only(isSevEs(vmi), 'kubevirt.io/sev-es'),
    ...only(isSevSnp(vmi), 'kubevirt.io/sev-snp'),
    ...only(isSecureExecution(vmi), 'kubevirt.io/s390-pv'),
    ...only(isTdx(vmi), 'kubevirt.io/tdx'),
  ];
}

/** The model by name, and the features that it must have; features count only beside a model. */
function cpuSelectors(vmi: VirtualMachineInstance): readonly string[] {
  const { model = '', features = [] } = vmi.spec.domain.cpu ?? {};
  if (model === '') return [];
  const required = features.filter((f) => (f.policy ?? '') === '' || f.policy === 'require');
  return [
    ...only(model !== 'host-model' && model !== 'host-passthrough', `cpu-model.node.kubevirt.io/${model}`),
    ...required.map((f) => `cpu-feature.node.kubevirt.io/${f.name}`),
  ];
}

function only(condition: boolean, key: string): readonly string[] {
  return condition ? [key] : [];
}
