import { join } from 'node:path';
import type { ReconcileRequest } from '../../../events/envelope/envelope.ts';
import type { ControllerShape } from '../../../functions/http/snapshot.ts';
import { ROOT } from '../../../infra/build/project.ts';
import { widgetBatch, widgetItem } from './widget.ts';

/** A batch that a controller of the project takes: one key whose primary is not there, and nothing else either. */
export async function emptyBatch(name: string): Promise<ReconcileRequest> {
  const module = (await import(join(ROOT, 'functions', name, 'reads.ts'))) as Record<string, ControllerShape>;
  const declared = Object.entries(module[name]?.reads ?? {});
  const reads = Object.fromEntries(declared.map(([read, { many }]) => [read, many ? [] : null]));
  return widgetBatch([widgetItem('absent', '', { primary: null, reads })]);
}
