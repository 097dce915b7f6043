import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Audience } from '../../events/envelope/signing.ts';
import { createClient } from '../store/client.ts';
import type { Table } from '../store/table.ts';
import { type Clock, systemClock } from './clock.ts';
import { type LambdaHandler, lambdaHandler } from './lambda.ts';
import { jsonLog, type Log } from './log.ts';
import { emfMetrics, emfRefusals, type MetricsSink, type RefusalSink } from './metrics.ts';
import { listenUntilSignal } from './node-server.ts';
import { readSettings, type Settings } from './settings.ts';
import { type FunctionApp, pathOf } from './signed-app.ts';
import { systemTimers, type Timers } from './timers.ts';

/** The world as a function finds it when it starts. */
export interface Runtime {
  readonly settings: Settings;
  readonly table: Table;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly metrics: MetricsSink;
  readonly onRefusal: RefusalSink;
}

/** What every bundle exports. */
export interface FunctionEntry {
  /** Where its one route is. */
  readonly path: string;
  /** Makes the function from the environment; for processes that serve several. */
  readonly app: () => FunctionApp;
  /** For Lambda. */
  readonly handler: LambdaHandler;
}

/**
 * One bundle, three ways to run it: Lambda calls `handler`; `node index.mjs --port N` listens; a host of several functions
 * calls `app`. `isMain` is the bundle's `import.meta.main`.
 *
 * In Lambda the function is made when the bundle is loaded, so that a wrong environment shows at start.
 */
export function defineFunction(
  audience: Audience,
  create: (runtime: Runtime) => FunctionApp,
  isMain: boolean,
): FunctionEntry {
  const app = () => create(runtimeFrom(audience));
  if (isMain) void runFromCommandLine(app);
  return { path: pathOf(audience), app, handler: isLambda() ? lambdaHandler(app(), systemClock) : lazily(app) };
}

function lazily(app: () => FunctionApp): LambdaHandler {
  let handler: LambdaHandler | undefined;
  return (event, context) => {
    handler ??= lambdaHandler(app(), systemClock);
    return handler(event, context);
  };
}

async function runFromCommandLine(app: () => FunctionApp): Promise<void> {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
    const { timeLimitMs } = readSettings(process.env);
    await listenUntilSignal(app(), { port: Number(values.port), timeLimitMs, clock: systemClock });
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function runtimeFrom(audience: Audience): Runtime {
  const settings = readSettings(process.env);
  return {
    settings,
    table: { client: createClient(), name: settings.tableName, pause },
    clock: systemClock,
    timers: systemTimers,
    log: jsonLog((line) => process.stderr.write(line), settings.logLevel, { function: audience }),
    metrics: isLambda() ? emfMetrics(settings.tableName, writeLine) : () => undefined,
    onRefusal: isLambda() ? emfRefusals(settings.tableName, audience, writeLine) : () => undefined,
  };
}

function writeLine(line: string): void {
  process.stdout.write(line);
}

/** Whether this process is a function of Lambda's. */
export function isLambda(): boolean {
  return process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined;
}
