import type { EventAction } from '../core/action.ts';
import type { KubeObject } from '../core/objects.ts';
import { NODE_UNRESPONSIVE } from './names.ts';

/** An event of the one reason that this controller has (node.md A1). */
export function unresponsiveEvent(about: KubeObject, type: EventAction['type'], message: string): EventAction {
  const { apiVersion, kind, metadata } = about;
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    id: `event ${type} ${kind} ${uid ?? name}`,
    verb: 'event',
    type,
    reason: NODE_UNRESPONSIVE,
    message,
    regarding: { apiVersion, kind, namespace, name, uid, resourceVersion },
  };
}
