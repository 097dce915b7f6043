/**
 * Fields of the API that the package of types (`@kubevirt-ui-ext/kubevirt-api`) does not have yet, or spells otherwise. Where it
 * catches up, the declaration here goes.
 */
import type {
  V1beta1VirtualMachinePreferenceSpec,
  V1KubeVirtConfiguration,
  V1LaunchSecurity,
  V1MigrationConfiguration,
  V1Network,
  V1VirtualMachineInstanceSpec,
} from '@kubevirt-ui-ext/kubevirt-api/kubevirt';

/** A network whose device comes from a resource claim of the pod. */
export interface NetworkResourceClaim {
  claimName?: string;
  requestName?: string;
}

export type Network = Omit<V1Network, 'multus'> & {
  multus?: {
    networkName: string;
    /** The package spells it `_default`. */
    default?: boolean;
  };
  resourceClaim?: NetworkResourceClaim;
};

export type VirtualMachineInstanceSpec = Omit<V1VirtualMachineInstanceSpec, 'networks'> & {
  networks?: Network[];
  serviceAccountName?: string;
};

export type VirtualMachinePreferenceSpec = V1beta1VirtualMachinePreferenceSpec & {
  preferredLaunchSecurity?: V1LaunchSecurity;
};

export type MigrationConfiguration = V1MigrationConfiguration & { maxDowntimeMs?: number };

/** `spec.configuration` of the KubeVirt object. */
export type KubeVirtConfiguration = Omit<V1KubeVirtConfiguration, 'migrations'> & {
  migrations?: MigrationConfiguration;
};
