import type { KubeObject } from './objects.ts';

/**
 * A kind of the Kubernetes API, as far as a client must know it to build paths.
 *
 * The type parameter ties the kind to the shape of its objects; it exists in types only.
 */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly kind: string;
  /** `group/version`, or `v1` for the core group. */
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether the kind has a `/status` subresource. VirtualMachineInstance has none: its status is written with the object. */
  readonly statusSubresource: boolean;
  /** Only metadata is asked for: the content, which no controller needs, stays in the API server. Absent: all of each object. */
  readonly metadataOnly?: boolean;
  /** Listed and watched only from the moment a key looks for something in it. Absent: from the relay's start. */
  readonly onDemand?: boolean;
  readonly __object?: T;
}

/** The object type of a kind. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;
