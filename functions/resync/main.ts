import { defineScheduled } from '../http/scheduled-entry.ts';
import { report } from './report.ts';
import { sweep } from './sweep.ts';

export const { scheduled, handler } = defineScheduled(
  'resync',
  async (runtime) => report(runtime, await sweep(runtime.table, runtime.clock)),
  import.meta.main,
);
