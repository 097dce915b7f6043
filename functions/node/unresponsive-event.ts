import type { EventAction } from '../core/action.ts';
import { regarding } from '../core/identity.ts';
import type { KubeObject } from '../core/objects.ts';
import { NODE_UNRESPONSIVE } from './names.ts';

/** An event of the one reason that this controller has (node.md A1). */
export function unresponsiveEvent(about: KubeObject, type: EventAction['type'], message: string): EventAction {
  const { kind, metadata } = about;
  return {
    id: `event ${type} ${kind} ${metadata.uid ?? metadata.name}`,
    verb: 'event',
    type,
    reason: NODE_UNRESPONSIVE,
    message,
    regarding: regarding(about),
  };
}
