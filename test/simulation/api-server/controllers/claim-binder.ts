/** Binds claims to the volumes that were made for them, and keeps the phases of volumes. */

import { timestamp } from '../../../../functions/core/context.ts';
import type { Cluster } from '../cluster.ts';
import { objAt, textAt } from '../json/value.ts';
import { type ApiObject, isBeingDeleted } from '../objects.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { persistentVolumeClaims, persistentVolumes, storageClasses } from '../strategies/storage.ts';
import { type Controller, rewrite, rewriteMetadata } from './controller.ts';

const PROVISIONER = ['volume.beta.kubernetes.io/storage-provisioner', 'volume.kubernetes.io/storage-provisioner'];
const BOUND = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };

export class ClaimBinder implements Controller {
  readonly #cluster: Cluster;
  #isDue = false;
  /** Claims that came when no volume was meant for them, or may wait for a provisioner anew. */
  readonly #alone = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { type, object }: Change): void {
    const isClaim = resource === persistentVolumeClaims;
    if (!isClaim && resource !== persistentVolumes && resource !== storageClasses) return;
    this.#isDue = true;
    if (isClaim && type === 'ADDED' && !this.#hasVolume(object))
      this.#alone.add(keyOf(object.metadata.namespace, object.metadata.name));
    if (resource === storageClasses && type === 'ADDED')
      for (const { metadata } of this.#cluster.store.values(persistentVolumeClaims))
        this.#alone.add(keyOf(metadata.namespace, metadata.name));
  }

  pass(): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    // In the order of their times: a claim that was there before its volume has been seen alone, however soon the volume came.
    const alone = [...this.#alone];
    this.#alone.clear();
    for (const key of alone) this.#nameProvisioner(key);
    for (const volume of this.#cluster.store.list(persistentVolumes)) this.#volume(volume);
  }

  #volume(volume: ApiObject): void {
    const reference = objAt(volume.spec, 'claimRef');
    if (reference === undefined) return this.#phase(volume, 'Available');
    const key = keyOf(textAt(reference, 'namespace'), textAt(reference, 'name') ?? '');
    const claim = this.#cluster.store.get(persistentVolumeClaims, key);
    const uid = textAt(reference, 'uid');
    const isThere = claim !== undefined && (uid === undefined || uid === claim.metadata.uid);
    if (!isThere) return this.#phase(volume, uid === undefined ? 'Available' : 'Released');
    const boundTo = textAt(claim.spec, 'volumeName');
    if (boundTo !== undefined && boundTo !== volume.metadata.name) return;
    if (isBeingDeleted(claim) && boundTo === undefined) return;
    const owned = uid === undefined ? this.#refer(volume, claim) : volume;
    this.#phase(owned, 'Bound');
    this.#bind(claim, owned);
  }

  /** The volume says which object its claim is. */
  #refer(volume: ApiObject, { metadata }: ApiObject): ApiObject {
    const claimRef = {
      ...objAt(volume.spec, 'claimRef'),
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    };
    return rewrite(this.#cluster, persistentVolumes, volume, { spec: { ...volume.spec, claimRef } });
  }

  #phase(volume: ApiObject, phase: string): void {
    if (textAt(volume.status, 'phase') === phase) return;
    const lastPhaseTransitionTime = timestamp(this.#cluster.ports.now());
    rewrite(this.#cluster, persistentVolumes, volume, { status: { ...volume.status, phase, lastPhaseTransitionTime } });
  }

  /** First the claim names its volume, then its status says that it is bound. */
  #bind(claim: ApiObject, { metadata: { name }, spec }: ApiObject): void {
    const named =
      textAt(claim.spec, 'volumeName') === name
        ? claim
        : rewrite(this.#cluster, persistentVolumeClaims, claim, {
            metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...BOUND } },
            spec: { ...claim.spec, volumeName: name },
          });
    if (textAt(named.status, 'phase') === 'Bound') return;
    const { accessModes, capacity } = spec ?? {};
    rewrite(this.#cluster, persistentVolumeClaims, named, {
      status: { ...named.status, phase: 'Bound', accessModes, capacity },
    });
  }

  /** A claim that waits for a volume says who has to make it; one that waits for its first pod does not yet. */
  #nameProvisioner(key: string): void {
    const claim = this.#cluster.store.get(persistentVolumeClaims, key);
    if (claim === undefined || isBeingDeleted(claim) || textAt(claim.spec, 'volumeName') !== undefined) return;
    const found = this.#cluster.store.get(storageClasses, textAt(claim.spec, 'storageClassName') ?? '');
    const provisioner = textAt(found, 'provisioner');
    const isImmediate = textAt(found, 'volumeBindingMode') === 'Immediate';
    if (provisioner === undefined || !isImmediate || provisioner === 'kubernetes.io/no-provisioner') return;
    const annotations = { ...claim.metadata.annotations };
    for (const name of PROVISIONER) annotations[name] = provisioner;
    rewriteMetadata(this.#cluster, persistentVolumeClaims, claim, { annotations });
  }

  #hasVolume({ metadata }: ApiObject): boolean {
    return this.#cluster.store
      .list(persistentVolumes)
      .some(
        ({ spec }) =>
          textAt(spec, 'claimRef', 'namespace') === metadata.namespace &&
          textAt(spec, 'claimRef', 'name') === metadata.name,
      );
  }
}
