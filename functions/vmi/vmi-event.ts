import type { EventAction } from '../core/action.ts';
import { regarding } from '../core/identity.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';

export interface VmiEvent {
  readonly type: EventAction['type'];
  readonly reason: string;
  readonly message: string;
  /** Tells apart events of one reason within a pass. */
  readonly subject?: string;
}

/** An event about the VMI (vmi.md 13). */
export function vmiEvent(vmi: VirtualMachineInstance, event: VmiEvent, subject = event.subject ?? ''): EventAction {
  const { type, reason, message } = event;
  return {
    id: `event ${reason}${subject === '' ? '' : ` ${subject}`}`,
    verb: 'event',
    type,
    reason,
    message,
    regarding: regarding(vmi),
  };
}
