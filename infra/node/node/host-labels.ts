import type { HostDescription } from '../hypervisor/hypervisor.ts';
import { type Element, elementsAt, parseXml } from '../hypervisor/xml.ts';
import { DEFAULT_OBSOLETE_MODELS } from './obsolete-models.ts';

export interface LabelSources {
  readonly host: HostDescription;
  /** `kernel.sched_rt_runtime_us`, trimmed; absent where it cannot be read. */
  readonly realtimeRuntimeUs?: string;
  /** Keys of `spec.configuration.obsoleteCPUModels` of the KubeVirt object, if that is set. */
  readonly obsoleteModels?: ReadonlySet<string>;
}

/**
 * Node labels from libvirt's description of an x86 host (node.md C4). Labels whose name would be empty are left out. Not here:
 * Hyper-V capabilities (C5, they need system calls on /dev/kvm) and labels of other architectures.
 */
export function hostLabels({ host, realtimeRuntimeUs, obsoleteModels }: LabelSources): Record<string, string> {
  const capabilities = parseXml(host.capabilities);
  const domain = parseXml(host.domainCapabilities);
  return {
    ...cpuFeatures(host.supportedFeatures),
    ...cpuModels(domain, obsoleteModels ?? DEFAULT_OBSOLETE_MODELS),
    ...hostModel(domain, obsoleteModels),
    ...machineTypes(capabilities),
    ...timer(capabilities),
    ...confidentialComputing(domain),
    ...(realtimeRuntimeUs === '-1' ? { 'kubevirt.io/realtime': 'true' } : {}),
  };
}

/** The label keys that the labeller replaces as a whole (node.md C3). */
export const OWNED_PREFIXES = [
  'cpu-feature.node.kubevirt.io/',
  'cpu-model.node.kubevirt.io/',
  'cpu-model-migration.node.kubevirt.io/',
  'cpu-timer.node.kubevirt.io/',
  'hyperv.node.kubevirt.io/',
  'kubevirt.io/realtime',
  'kubevirt.io/sev',
  'kubevirt.io/sev-es',
  'kubevirt.io/sev-snp',
  'kubevirt.io/tdx',
  'host-model-cpu.node.kubevirt.io/',
  'host-model-required-features.node.kubevirt.io/',
  'node-labeller.kubevirt.io/obsolete-host-model',
  'machine-type.node.kubevirt.io/',
  'kubevirt.io/vm-arch-',
] as const;

/** A node's labels with the owned ones replaced. */
export function relabelled(
  labels: Readonly<Record<string, string>>,
  host: Readonly<Record<string, string>>,
): Record<string, string> {
  const foreign = Object.entries(labels).filter(([key]) => !OWNED_PREFIXES.some((prefix) => key.startsWith(prefix)));
  return { ...Object.fromEntries(foreign), ...host };
}

function cpuFeatures(supportedFeatures: string | undefined): Record<string, string> {
  if (supportedFeatures === undefined) return {};
  const required = elementsAt(parseXml(supportedFeatures), 'feature').filter((f) => f.attributes.policy === 'require');
  return marks(
    'cpu-feature.node.kubevirt.io/',
    required.map((f) => f.attributes.name),
  );
}

function cpuModels(domain: Element, obsolete: ReadonlySet<string>): Record<string, string> {
  const known = elementsAt(domain, 'cpu', 'mode', 'model').filter(
    (m) => m.attributes.usable !== undefined && !obsolete.has(m.text),
  );
  const usable = known.filter((m) => m.attributes.usable !== 'no');
  return {
    ...marks('cpu-model.node.kubevirt.io/', texts(usable)),
    ...marks('cpu-model-migration.node.kubevirt.io/', texts(known)),
  };
}

function hostModel(domain: Element, obsolete: ReadonlySet<string> | undefined): Record<string, string> {
  const mode = elementsAt(domain, 'cpu', 'mode').find((m) => m.attributes.name === 'host-model');
  if (mode === undefined) return {};
  const model = elementsAt(mode, 'model')[0]?.text;
  const required = elementsAt(mode, 'feature').filter((f) => f.attributes.policy === 'require');
  return {
    ...marks('host-model-cpu.node.kubevirt.io/', [model]),
    ...marks('cpu-vendor.node.kubevirt.io/', [elementsAt(mode, 'vendor')[0]?.text]),
    ...marks(
      'host-model-required-features.node.kubevirt.io/',
      required.map((f) => f.attributes.name),
    ),
    ...(model !== undefined && obsolete?.has(model) === true
      ? { 'node-labeller.kubevirt.io/obsolete-host-model': 'true' }
      : {}),
  };
}

function machineTypes(capabilities: Element): Record<string, string> {
  return marks('machine-type.node.kubevirt.io/', texts(elementsAt(capabilities, 'guest', 'arch', 'machine')));
}

function timer(capabilities: Element): Record<string, string> {
  const tsc = elementsAt(capabilities, 'host', 'cpu', 'counter').find((c) => c.attributes.name === 'tsc');
  if (tsc?.attributes.frequency === undefined) return {};
  return {
    'cpu-timer.node.kubevirt.io/tsc-frequency': tsc.attributes.frequency,
    'cpu-timer.node.kubevirt.io/tsc-scalable': String(tsc.attributes.scaling === 'yes'),
  };
}

function confidentialComputing(domain: Element): Record<string, string> {
  const [sev] = elementsAt(domain, 'features', 'sev').filter((f) => f.attributes.supported === 'yes');
  const es = Number(sev === undefined ? 0 : (elementsAt(sev, 'maxESGuests')[0]?.text ?? 0)) > 0;
  const snp = elementsAt(domain, 'features', 'launchSecurity')
    .filter((f) => f.attributes.supported === 'yes')
    .flatMap((f) => elementsAt(f, 'enum', 'value'))
    .some((v) => v.text === 'sev-snp');
  const tdx = elementsAt(domain, 'features', 'tdx').some((f) => f.attributes.supported === 'yes');
  const held = {
    'kubevirt.io/sev': sev !== undefined,
    'kubevirt.io/sev-es': es,
    'kubevirt.io/sev-snp': es && snp,
    'kubevirt.io/tdx': tdx,
  };
  return Object.fromEntries(
    Object.entries(held)
      .filter(([, holds]) => holds)
      .map(([key]) => [key, 'true']),
  );
}

function texts(elements: readonly Element[]): readonly string[] {
  return elements.map((e) => e.text);
}

function marks(prefix: string, names: readonly (string | undefined)[]): Record<string, string> {
  const named = names.filter((name) => name !== undefined && name !== '');
  return Object.fromEntries(named.map((name) => [`${prefix}${name}`, 'true']));
}
