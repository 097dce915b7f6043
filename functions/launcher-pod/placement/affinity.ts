import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import type { Affinity } from '../pod-types.ts';
import { reservationLabel } from './persistent-reservation.ts';

const OBSOLETE_HOST_MODEL = 'node-labeller.kubevirt.io/obsolete-host-model';

/** launcher-pod.md 8. `reservedClaims`: claims of disks with a persistent reservation. */
export function podAffinity(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  reservedClaims: readonly PersistentVolumeClaim[],
): Affinity | undefined {
  let affinity: Affinity | undefined = vmi.spec.affinity;
  for (const label of rejectedLabels(vmi)) affinity = rejecting(affinity, label);
  if (reservedClaims.length > 0) affinity = apartFromHolders(affinity, reservedClaims);
  const architecture = vmi.spec.architecture ?? '';
  if (architecture !== '' && gateEnabled(configuration, 'CrossArchitectureVirtualization')) {
    affinity = preferring(affinity, architecture.toLowerCase());
  }
  return affinity;
}

/** Node labels that rule a node out: an outdated host model, CPU features that the guest forbids. */
function rejectedLabels(vmi: VirtualMachineInstance): readonly string[] {
  const { model = '', features = [] } = vmi.spec.domain.cpu ?? {};
  const forbidden = features.filter((f) => f.policy === 'forbid').map((f) => `cpu-feature.node.kubevirt.io/${f.name}`);
  return model === '' || model === 'host-model' ? [OBSOLETE_HOST_MODEL, ...forbidden] : forbidden;
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
