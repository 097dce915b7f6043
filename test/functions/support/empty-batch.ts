import type { ReconcileRequest } from '../../../events/envelope/envelope.ts';
import { declaredControllers } from '../../../functions/controllers.ts';
import { widgetBatch, widgetItem } from './widget.ts';

/** A batch that a controller of the project takes: one key whose primary is not there, and nothing else either. */
export function emptyBatch(name: string): ReconcileRequest {
  const declared = declaredControllers.find(({ controller }) => controller.name === name);
  const reads = Object.entries(declared?.controller.reads ?? {}).map(([read, { many }]) => [read, many ? [] : null]);
  return widgetBatch([
    widgetItem('absent', '', { primary: null, reads: Object.fromEntries(reads) as Record<string, never> }),
  ]);
}
