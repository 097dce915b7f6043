import type { EventAction } from '../core/action.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';

export interface VmiEvent {
  readonly type: EventAction['type'];
  readonly reason: string;
  readonly message: string;
}

/** An event about the VMI (vmi.md 13). `subject` tells apart events of one reason within a pass. */
export function vmiEvent(vmi: VirtualMachineInstance, event: VmiEvent, subject = ''): EventAction {
  const { name, namespace, uid, resourceVersion } = vmi.metadata;
  return {
    id: `event ${event.reason}${subject === '' ? '' : ` ${subject}`}`,
    verb: 'event',
    ...event,
    regarding: { apiVersion: vmi.apiVersion, kind: vmi.kind, namespace, name, uid, resourceVersion },
  };
}
