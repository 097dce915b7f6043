import type { ReconcileItem } from '../../events/envelope/envelope.ts';
import { MalformedMessageError } from '../../events/envelope/errors.ts';
import type { Controller } from '../core/controller.ts';
import { keyOf } from '../core/object-index.ts';
import type { KubeObject } from '../core/objects.ts';

/** A snapshot whose shape was checked against a controller's reads; its types are the controller's business. */
export interface CheckedSnapshot {
  readonly key: string;
  readonly primary: KubeObject | undefined;
  readonly reads: Readonly<Record<string, readonly KubeObject[] | KubeObject | undefined>>;
}

/** What a controller is, as far as running it matters: any controller fits. */
export type ControllerShape = Pick<Controller, 'name' | 'eventSource'> & {
  readonly primary: { readonly kind: string; readonly apiVersion: string };
  readonly reads: Readonly<Record<string, { readonly many: boolean }>>;
};

/**
 * A snapshot as a controller takes it. Throws MalformedMessageError where it is not one of this controller: relay and
 * function are of different versions then, and the controller would decide on less than it wants to know.
 */
export function toSnapshot(controller: ControllerShape, item: ReconcileItem): CheckedSnapshot {
  const { primary } = item;
  if (primary !== null && !isPrimaryOf(controller, item.key, primary))
    throw new MalformedMessageError(`${item.key}: the primary is not the ${controller.primary.kind} of that key`);
  const reads: Record<string, readonly KubeObject[] | KubeObject | undefined> = {};
  for (const [name, read] of Object.entries(controller.reads)) {
    const found = item.reads[name];
    if (found === undefined || read.many !== Array.isArray(found))
      throw new MalformedMessageError(`${item.key}: read ${name} is missing or of another shape`);
    reads[name] = found ?? undefined;
  }
  return { key: item.key, primary: primary ?? undefined, reads };
}

function isPrimaryOf(controller: ControllerShape, key: string, object: KubeObject): boolean {
  const { kind, apiVersion } = controller.primary;
  return object.kind === kind && object.apiVersion === apiVersion && keyOf(object) === key;
}
