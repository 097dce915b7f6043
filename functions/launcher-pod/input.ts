import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import type {
  KubeObject,
  Namespace,
  ObjectMeta,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  VirtualMachineInstance,
} from '../core/objects.ts';
import type { ImageMap } from './containers/disk-images.ts';
import type { Reason } from './reason.ts';
import type { Failed } from './render-result.ts';

/**
 * - `launch`: the pod that runs the VM.
 * - `without-vm`: a temporary pod that only makes claims bind that wait for their first consumer (launcher-pod.md 2).
 */
export type LauncherPodVariant = 'launch' | 'without-vm';

/** What rendering looks at besides the VMI and the configuration (launcher-pod.md 1.2). */
export interface RelatedObjects {
  /** The claims of the VMI's namespace that its volumes name; others do no harm. */
  readonly claims: readonly PersistentVolumeClaim[];
  /** The claim that holds the VMI's state (rule `findBackendStorageClaim`); looked at only when the VMI needs one. */
  readonly backendStorageClaim?: PersistentVolumeClaim;
  readonly quotas: readonly ResourceQuota[];
  /** The VMI's namespace. */
  readonly namespace?: Namespace;
  /** Those that the VMI's Multus networks name; looked at only with gate `ExternalNetResourceInjection` off. */
  readonly networkAttachments: readonly KubeObject[];
  /** The ConfigMaps that hook sidecars name (`sidecarConfigMapNames`); only whether they are there matters. */
  readonly sidecarConfigMaps: readonly KubeObject[];
}

export interface LauncherPodInput {
  readonly vmi: VirtualMachineInstance;
  readonly configuration: ClusterConfiguration;
  readonly related: RelatedObjects;
  readonly variant: LauncherPodVariant;
  /** Of a migration target (`migrationImages`); absent: images are as the VMI names them. */
  readonly images?: ImageMap;
  /** Which of the VMI's pods this is: with the VMI's uid it seeds the one draw of a rendering (`--qemu-timeout`). */
  readonly ordinal: number;
}

/** A pod without name and namespace: the caller adds them. */
export type RenderedPod = Omit<Pod, 'metadata'> & {
  readonly metadata: Omit<ObjectMeta, 'name'> & { readonly generateName: string };
};

/** `vmi` is the VMI with its probes as rendering leaves them (launcher-pod.md 9.5), also where rendering failed later. */
export type LauncherPodResult =
  | {
      readonly type: 'rendered';
      readonly pod: RenderedPod;
      readonly vmi: VirtualMachineInstance;
      /** Why the pod is as it is, in no particular order. */
      readonly reasons: readonly Reason[];
    }
  | (Failed & { readonly vmi: VirtualMachineInstance });
