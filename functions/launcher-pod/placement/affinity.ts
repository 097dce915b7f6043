import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import type { Affinity } from '../pod-types.ts';
import { type Reason, reason } from '../reason.ts';
import { reservationLabel } from './persistent-reservation.ts';

const OBSOLETE_HOST_MODEL = 'node-labeller.kubevirt.io/obsolete-host-model';

/** One change of the affinity that the VMI brings, and why. */
interface AffinityRule {
  readonly because: string;
  readonly applyTo: (affinity: Affinity | undefined) => Affinity;
}

/** launcher-pod.md 8. `reservedClaims`: claims of disks with a persistent reservation. */
export function podAffinity(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  reservedClaims: readonly PersistentVolumeClaim[],
): { readonly affinity: Affinity | undefined; readonly reasons: readonly Reason[] } {
  const rules = affinityRules(vmi, configuration, reservedClaims);
  let affinity: Affinity | undefined = vmi.spec.affinity;
  for (const rule of rules) affinity = rule.applyTo(affinity);
  const given = vmi.spec.affinity === undefined ? [] : ['spec.affinity'];
  const because = [...given, ...rules.map((r) => r.because)];
  return { affinity, reasons: because.length === 0 ? [] : [reason(['spec', 'affinity'], ...because)] };
}

function affinityRules(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  reservedClaims: readonly PersistentVolumeClaim[],
): readonly AffinityRule[] {
  const rules = [...rejections(vmi)];
  if (reservedClaims.length > 0) {
    const names = reservedClaims.map((c) => c.metadata.name).join(', ');
    rules.push({
      because: `apart from other pods with a reservation on ${names}`,
      applyTo: (affinity) => apartFromHolders(affinity, reservedClaims),
    });
  }
  const architecture = vmi.spec.architecture ?? '';
  if (architecture !== '' && gateEnabled(configuration, 'CrossArchitectureVirtualization')) {
    rules.push({
      because: `rather on ${architecture}: gate CrossArchitectureVirtualization`,
      applyTo: (affinity) => preferring(affinity, architecture.toLowerCase()),
    });
  }
  return rules;
}

/** Node labels that rule a node out: an outdated host model, CPU features that the guest forbids. */
function rejections(vmi: VirtualMachineInstance): readonly AffinityRule[] {
  const { model = '', features = [] } = vmi.spec.domain.cpu ?? {};
  const forbidden = features
    .filter((f) => f.policy === 'forbid')
    .map((f) => rejection(`cpu-feature.node.kubevirt.io/${f.name}`, 'cpu.features forbids it'));
  const hostModel = model === '' || model === 'host-model';
  return hostModel ? [rejection(OBSOLETE_HOST_MODEL, "the CPU model is the node's"), ...forbidden] : forbidden;
}

function rejection(label: string, because: string): AffinityRule {
  return { because: `no node with label ${label}: ${because}`, applyTo: (affinity) => rejecting(affinity, label) };
}

/** Terms are alternatives, so each of them must rule the label out; a required block without terms stays as it is. */
function rejecting(affinity: Affinity | undefined, key: string): Affinity {
  const requirement = { key, operator: 'DoesNotExist' };
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (required?.nodeSelectorTerms ?? []).map((term) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), requirement],
  }));
  const nodeSelectorTerms = required === undefined ? [{ matchExpressions: [requirement] }] : terms;
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    },
  };
}

/** Two pods with a reservation on one claim never share a node. */
function apartFromHolders(affinity: Affinity | undefined, claims: readonly PersistentVolumeClaim[]): Affinity {
  const terms = claims.map((claim) => ({
    labelSelector: { matchExpressions: [{ key: reservationLabel(claim), operator: 'Exists' }] },
    topologyKey: 'kubernetes.io/hostname',
  }));
  const existing = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    ...affinity,
    podAntiAffinity: {
      ...affinity?.podAntiAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: [...existing, ...terms],
    },
  };
}

function preferring(affinity: Affinity | undefined, architecture: string): Affinity {
  const existing = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const preference = {
    matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: [architecture] }],
  };
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      preferredDuringSchedulingIgnoredDuringExecution: [...existing, { weight: 100, preference }],
    },
  };
}
