import type { KubeObject, PersistentVolumeClaim } from '../../../functions/core/objects.ts';

/** A claim with what a provisioner looks at beyond what the controllers do. */
export type Claim = PersistentVolumeClaim & {
  spec: { volumeName?: string; selector?: object; dataSource?: object };
};

export interface PersistentVolume extends KubeObject {
  spec: {
    accessModes?: readonly string[];
    capacity?: Readonly<Record<string, string>>;
    claimRef?: {
      readonly apiVersion?: string;
      readonly kind?: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly uid?: string;
    };
    local?: { readonly path: string };
    nodeAffinity?: {
      readonly required?: {
        readonly nodeSelectorTerms: readonly {
          readonly matchExpressions?: readonly {
            readonly key: string;
            readonly operator: string;
            readonly values?: readonly string[];
          }[];
        }[];
      };
    };
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    volumeMode?: string;
  };
  status?: { phase?: string };
}

export interface StorageClass extends KubeObject {
  provisioner: string;
  parameters?: Readonly<Record<string, string>>;
  mountOptions?: readonly string[];
  allowedTopologies?: readonly object[];
  reclaimPolicy?: string;
  volumeBindingMode?: string;
}
