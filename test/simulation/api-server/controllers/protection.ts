/** Lets claims and volumes go that are being deleted, once nobody uses them. */
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from '../admission/storage.ts';
import type { Cluster } from '../cluster.ts';
import { objsAt, textAt } from '../json/value.ts';
import { type ApiObject, isBeingDeleted } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { pods } from '../strategies/pod/strategy.ts';
import { persistentVolumeClaims, persistentVolumes } from '../strategies/storage.ts';
import { type Controller, rewriteMetadata, withoutFinalizer } from './controller.ts';

export class Protection implements Controller {
  readonly #cluster: Cluster;
  #isDue = false;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { type, object }: Change): void {
    const isVolume = resource === persistentVolumeClaims || resource === persistentVolumes;
    if ((isVolume && isBeingDeleted(object)) || (resource === pods && type === 'DELETED')) this.#isDue = true;
  }

  pass(): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    const { store } = this.#cluster;
    for (const claim of store.list(persistentVolumeClaims))
      if (isBeingDeleted(claim) && !this.#isUsed(claim)) this.#release(persistentVolumeClaims, claim, CLAIM_PROTECTION);
    for (const volume of store.list(persistentVolumes))
      if (isBeingDeleted(volume) && textAt(volume.status, 'phase') !== 'Bound')
        this.#release(persistentVolumes, volume, VOLUME_PROTECTION);
  }

  #release(resource: Resource, object: ApiObject, finalizer: string): void {
    if (object.metadata.finalizers?.includes(finalizer))
      rewriteMetadata(this.#cluster, resource, object, withoutFinalizer(object, finalizer));
  }

  /** By a pod on a node: others will not start once the claim is being deleted. */
  #isUsed({ metadata }: ApiObject): boolean {
    return this.#cluster.store
      .list(pods, metadata.namespace)
      .some(
        (pod) =>
          textAt(pod.spec, 'nodeName') !== undefined &&
          objsAt(pod.spec, 'volumes').some((v) => textAt(v, 'persistentVolumeClaim', 'claimName') === metadata.name),
      );
  }
}
