/** What stands around a VMI: objects that files give, and for the rest what is assumed. */
import type {
  KubeObject,
  Namespace,
  PersistentVolumeClaim,
  ResourceQuota,
  VirtualMachineInstance,
} from '../../functions/core/objects.ts';
import type { RelatedObjects } from '../../functions/launcher-pod/input.ts';
import { networkAttachmentKeys, sidecarConfigMapKeys } from '../../functions/launcher-pod/related-keys.ts';
import { findBackendStorageClaim } from '../../functions/rules/backend-storage/find-claim.ts';
import { needsBackendStorage } from '../../functions/rules/backend-storage/need.ts';
import { claimNamesOf } from '../../functions/vmi/volumes/volume-claims.ts';
import type { Json, Manifest } from './manifest.ts';
import { PROFILE_KINDS } from './profile.ts';

export interface Surroundings {
  readonly related: RelatedObjects;
  /** `claim default/disk: a file system, ReadWriteOnce` */
  readonly assumed: readonly string[];
}

const KINDS = [
  'PersistentVolumeClaim',
  'ResourceQuota',
  'Namespace',
  'NetworkAttachmentDefinition',
  'ConfigMap',
  ...PROFILE_KINDS,
];

export function isSurrounding({ kind }: Manifest): boolean {
  return KINDS.includes(kind);
}

export function surroundingsOf(vmi: VirtualMachineInstance, given: readonly Manifest[]): Surroundings {
  const namespace = vmi.metadata.namespace ?? '';
  const objects = given.map(placed);
  const own = <T extends KubeObject>(kind: string) =>
    objects.filter((o): o is T => o.kind === kind && o.metadata.namespace === namespace);
  const ownNamespace = objects.find((o): o is Namespace => o.kind === 'Namespace' && o.metadata.name === namespace);

  const claims = own<PersistentVolumeClaim>('PersistentVolumeClaim');
  const missingClaims = claimNamesOf(vmi).filter((name) => !claims.some((c) => c.metadata.name === name));
  const allClaims = [...claims, ...missingClaims.map((name) => claimNamed(name, namespace))];
  const stateName = `persistent-state-for-${vmi.metadata.name}`;
  const state = findBackendStorageClaim(vmi, claims);
  const assumesState = needsBackendStorage(vmi) && state === undefined;

  const attachments = networkAttachmentKeys(vmi).map((k) =>
    bare('k8s.cni.cncf.io/v1', 'NetworkAttachmentDefinition', k),
  );
  const configMaps = sidecarConfigMapKeys(vmi).map((k) => bare('v1', 'ConfigMap', k));
  return {
    related: {
      claims: allClaims,
      backendStorageClaim: state ?? claimNamed(stateName, namespace),
      quotas: own<ResourceQuota>('ResourceQuota'),
      ...(ownNamespace === undefined ? {} : { namespace: ownNamespace }),
      // Of two with the same name the given one is found first.
      networkAttachments: [...objects.filter((o) => o.kind === 'NetworkAttachmentDefinition'), ...attachments],
      sidecarConfigMaps: [...own('ConfigMap'), ...configMaps],
    },
    assumed: [...missingClaims, ...(assumesState ? [stateName] : [])].map(
      (name) => `claim ${name}: there, a file system, ReadWriteOnce`,
    ),
  };
}

/** An object of which no more is known than that it is there. */
function bare(apiVersion: string, kind: string, key: string): KubeObject {
  const [namespace = '', name = ''] = key.split('/');
  return { apiVersion, kind, metadata: { name, namespace } };
}

function claimNamed(name: string, namespace: string): PersistentVolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, uid: `uid-of-${name}` },
    spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem' },
  };
}

/** With what the API server would have filled in, so that all may read it. */
function placed({ object, bad }: Manifest): KubeObject {
  const { metadata, spec = {} } = object as { metadata?: KubeObject['metadata']; spec?: object };
  if (!metadata?.name) throw bad(['metadata', 'name'], 'is not there');
  const { namespace = 'default' } = metadata;
  const inNamespace = object['kind'] === 'Namespace' ? metadata : { ...metadata, namespace };
  const filledIn: Json = { ...object, metadata: inNamespace, spec };
  return filledIn as unknown as KubeObject;
}
