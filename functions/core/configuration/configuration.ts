import type { KubeVirtConfiguration } from '../newer-fields.ts';

/** Command line of virt-controller that changes what controllers do (runtime.md 9, launcher-pod.md 1.1). */
export interface ProcessParameters {
  readonly launcherImage: string;
  readonly exporterImage: string;
  readonly launcherQemuTimeoutSeconds: number;
  readonly imagePullSecret: string;
  readonly kubevirtShareDir: string;
  readonly ephemeralDiskDir: string;
  readonly containerDiskDir: string;
  readonly hotplugDiskDir: string;
  /** Image of hook sidecars that name none; empty: none. */
  readonly sidecarShimImage: string;
  /** Architecture of the replaced controller: `amd64`, `arm64`, `s390x`. */
  readonly clusterArchitecture: string;
  readonly additionalLauncherAnnotationsSync: readonly string[];
  readonly additionalLauncherLabelsSync: readonly string[];
}

/** All of a cluster that is not in a key's snapshot. Resolved by the relay (runtime.md 8), sent with every batch. */
export interface ClusterConfiguration {
  /** `spec.configuration` of the KubeVirt object merged over the defaults; validated. */
  readonly kubevirt: KubeVirtConfiguration;
  /** Version of the KubeVirt object that `kubevirt` came from; absent: the defaults. */
  readonly resourceVersion?: string;
  /** `status.defaultArchitecture` of the KubeVirt object. */
  readonly defaultArchitecture: string;
  /** Value of the KubeVirt object's annotation `kubevirt.io/skip-backup-hooks`; absent: none. */
  readonly skipBackupHooks?: string;
  readonly installNamespace: string;
  readonly process: ProcessParameters;
}
