import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../store/client.ts';
import type { Table } from '../store/table.ts';
import { type Clock, systemClock } from './clock.ts';
import { isLambda } from './function-entry.ts';
import { jsonLog, type Log } from './log.ts';
import { readCommonSettings } from './settings.ts';

/** The world as a function finds it that is run on a schedule. Nobody calls it, so it needs no keys of signatures. */
export interface ScheduledRuntime {
  readonly table: Table;
  readonly clock: Clock;
  readonly log: Log;
  /** For lines of metrics; absent where nobody reads them. */
  readonly writeMetrics?: (line: string) => void;
}

/** What the bundle of such a function exports. */
export interface ScheduledEntry {
  /** Makes the function from the environment; the result runs it once. For processes that have a clock of their own. */
  readonly scheduled: () => () => Promise<void>;
  /** For Lambda; whatever the event is. */
  readonly handler: () => Promise<void>;
}

/**
 * One bundle, three ways to run it: Lambda calls `handler` with the schedule's event; `node index.mjs` runs it once and ends,
 * for cron; a host of several functions calls `scheduled`. `isMain` is the bundle's `import.meta.main`.
 */
export function defineScheduled(
  name: string,
  run: (runtime: ScheduledRuntime) => Promise<void>,
  isMain: boolean,
): ScheduledEntry {
  const scheduled = () => {
    const runtime = runtimeFrom(name);
    return () => run(runtime);
  };
  if (isMain) void runFromCommandLine(scheduled);
  // In Lambda a wrong environment shows at start.
  if (isLambda()) return { scheduled, handler: scheduled() };
  return { scheduled, handler: () => scheduled()() };
}

async function runFromCommandLine(scheduled: ScheduledEntry['scheduled']): Promise<void> {
  try {
    await scheduled()();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function runtimeFrom(name: string): ScheduledRuntime {
  const { tableName, logLevel } = readCommonSettings(process.env);
  return {
    table: { client: createClient(), name: tableName, pause },
    clock: systemClock,
    log: jsonLog((line) => process.stderr.write(line), logLevel, { function: name }),
    ...(isLambda() && { writeMetrics: (line: string) => void process.stdout.write(line) }),
  };
}
