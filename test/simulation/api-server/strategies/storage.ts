import { equal, type Obj, objAt, textAt, textsAt } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import type { StatusCause } from '../ports.ts';
import { cause } from '../refusals.ts';
import { builtIn } from '../resources/built-in.ts';
import type { Resource } from '../resources/resource.ts';

export const persistentVolumeClaims: Resource = builtIn({
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  defaults: (claim) => {
    const spec = claim.spec ?? {};
    spec.volumeMode ??= 'Filesystem';
    (claim.status ??= {}).phase ??= 'Pending';
  },
  initialStatus: (claim) => {
    mirrorDataSource(claim.spec ?? {});
    return { phase: 'Pending' };
  },
  strategy: {
    firstWriteCounts: true,
    returnsDeleted: true,
    validate: (claim) => {
      const found: StatusCause[] = [];
      if (textsAt(claim.spec, 'accessModes').length === 0)
        found.push(cause.required('spec.accessModes', 'at least 1 access mode is required'));
      if (objAt(claim.spec, 'resources', 'requests')?.storage === undefined)
        found.push(cause.required('spec.resources[storage]'));
      return found;
    },
    validateUpdate: claimUpdate,
  },
});

/** The two ways to say what a claim is filled from are kept alike. */
function mirrorDataSource(spec: Obj): void {
  const ref = objAt(spec, 'dataSourceRef');
  if (ref === undefined && spec.dataSource !== undefined) spec.dataSourceRef = spec.dataSource;
  if (spec.dataSource === undefined && ref !== undefined && ref.namespace === undefined) spec.dataSource = ref;
}

const IMMUTABLE =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

function claimUpdate(next: ApiObject, old: ApiObject): StatusCause[] {
  const found: StatusCause[] = [];
  const isBound = textAt(old.status, 'phase') === 'Bound';
  const hasVolume = textAt(old.spec, 'volumeName') !== undefined;
  const fixed = ({ spec }: ApiObject): Obj => {
    const { resources, volumeName, ...rest } = spec ?? {};
    return {
      ...rest,
      ...(isBound ? {} : { resources }),
      ...(hasVolume ? { volumeName } : {}),
      limits: objAt(resources, 'limits'),
    };
  };
  if (!equal(fixed(next), fixed(old))) found.push(cause.forbidden('spec', IMMUTABLE));
  return found;
}

export const persistentVolumes: Resource = builtIn({
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  namespaced: false,
  defaults: (volume) => {
    const spec = volume.spec ?? {};
    spec.persistentVolumeReclaimPolicy ??= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    (volume.status ??= {}).phase ??= 'Pending';
  },
  initialStatus: (_, now) => ({ phase: 'Pending', lastPhaseTransitionTime: now }),
  strategy: {
    returnsDeleted: true,
    prepareStatus: (next, old, now) => {
      next.spec = old.spec ?? {};
      const phase = textAt(next.status, 'phase');
      if (phase !== textAt(old.status, 'phase')) next.status = { ...next.status, lastPhaseTransitionTime: now };
    },
    validate: (volume) => {
      const found: StatusCause[] = [];
      const capacity = objAt(volume.spec, 'capacity');
      if (capacity === undefined) found.push(cause.required('spec.capacity'));
      if (capacity?.storage === undefined) found.push(cause.notSupported('spec.capacity', capacity, ['storage']));
      if (textsAt(volume.spec, 'accessModes').length === 0) found.push(cause.required('spec.accessModes'));
      if (!SOURCES.some((s) => volume.spec?.[s] !== undefined))
        found.push(cause.required('spec', 'must specify a volume type'));
      return found;
    },
  },
});

const SOURCES = ['hostPath', 'local', 'nfs', 'iscsi', 'rbd', 'csi'];

export const storageClasses: Resource = builtIn({
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
  defaults: (object) => {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
  strategy: { returnsDeleted: true },
});
