import type { Pod } from '../../core/objects.ts';
import type { StatusDraft } from '../status-draft.ts';
import { interfaceStatus } from './interface-status.ts';

/** Brings `status.interfaces` up to date; a list that stays empty stays absent (vmi.md 11.4). */
export function updateInterfaces({ vmi }: StatusDraft, pod: Pod): void {
  const interfaces = interfaceStatus(vmi, pod);
  if (interfaces.length > 0 || vmi.status.interfaces !== undefined) vmi.status.interfaces = [...interfaces];
}
