import * as v from 'valibot';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import { isRecord } from './objects.ts';

const processParameters = v.object({
  launcherImage: v.string(),
  exporterImage: v.string(),
  launcherQemuTimeoutSeconds: v.number(),
  imagePullSecret: v.string(),
  kubevirtShareDir: v.string(),
  ephemeralDiskDir: v.string(),
  containerDiskDir: v.string(),
  hotplugDiskDir: v.string(),
  sidecarShimImage: v.string(),
  clusterArchitecture: v.string(),
  additionalLauncherAnnotationsSync: v.array(v.string()),
  additionalLauncherLabelsSync: v.array(v.string()),
});

/** The KubeVirt part was validated by the relay when it was read (runtime.md 8); here it is an object. */
export const configuration: v.GenericSchema<unknown, ClusterConfiguration> = v.object({
  kubevirt: v.custom<ClusterConfiguration['kubevirt']>(isRecord, 'not an object'),
  defaultArchitecture: v.string(),
  skipBackupHooks: v.optional(v.string()),
  installNamespace: v.pipe(v.string(), v.minLength(1)),
  process: processParameters,
});
