/**
 * Serves several built functions in one process, to save memory on a developer's machine:
 *
 * `node functions-host.ts --port 0 dist/functions/vm/index.mjs dist/functions/vmi/index.mjs`
 *
 * A bundle that is run on a schedule is run every minute. Takes its settings from the same environment as each function does. Prints `{"ready":true,"port":N}` when it listens.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../../functions/http/clock.ts';
import type { FunctionEntry } from '../../functions/http/function-entry.ts';
import { listenUntilSignal } from '../../functions/http/node-server.ts';
import type { ScheduledEntry } from '../../functions/http/scheduled-entry.ts';
import { readSettings } from '../../functions/http/settings.ts';
import type { FunctionApp } from '../../functions/http/signed-app.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string', default: '0' } },
});
const apps = new Map<string, FunctionApp>();
for (const bundle of positionals) {
  const entry = (await import(pathToFileURL(resolve(bundle)).href)) as FunctionEntry | ScheduledEntry;
  if ('scheduled' in entry) runEveryMinute(entry.scheduled());
  else apps.set(entry.path, entry.app());
}
const [first] = apps.values();
if (first === undefined) throw new Error('no bundles given');
const host: FunctionApp = {
  // Any of them answers for what is none's: health, and paths that do not exist.
  fetch: (request, invocation) => (apps.get(new URL(request.url).pathname) ?? first).fetch(request, invocation),
};
const { timeLimitMs } = readSettings(process.env);
await listenUntilSignal(host, { port: Number(values.port), timeLimitMs, clock: systemClock });
process.exit(0);

/** A run that fails is tried again with the next one. */
function runEveryMinute(run: () => Promise<void>): void {
  setInterval(() => {
    run().catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    });
  }, 60_000);
}
