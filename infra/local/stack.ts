/**
 * `npm run stack -- --bare [--kubeconfig FILE]`: control plane without scheduler and node agent, table, functions and relay, for
 * tests and measurements. Prints one line of JSON when it is ready and stays until SIGTERM, or until its parent is gone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { termination } from './processes/termination.ts';
import { type Stack, startStack } from './stack/stack.ts';

const usage = 'usage: npm run stack -- --bare [--kubeconfig FILE] [--launcher-image NAME] [--exporter-image NAME]';

function fail(message: string, code: number): never {
  process.stderr.write(`stack: ${message}\n`);
  process.exit(code);
}

function options() {
  try {
    return parseArgs({
      options: {
        bare: { type: 'boolean', default: false },
        kubeconfig: { type: 'string' },
        // What the reference was recorded with.
        'launcher-image': { type: 'string', default: 'registry.example/virt-launcher:v1' },
        'exporter-image': { type: 'string', default: 'registry.example/virt-exportserver:v1' },
      },
    }).values;
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${usage}`, 2);
  }
}

const values = options();
if (!values.bare) fail(`only --bare is offered here; npm start runs the whole system\n${usage}`, 2);

const ended = termination();
const dataDir = mkdtempSync(join(tmpdir(), 'virt-functions-'));
const log = (text: string): void => void process.stderr.write(`${text}\n`);
let stack: Stack;
try {
  stack = await startStack({
    dataDir,
    data: 'throw-away',
    scheduler: false,
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    launcherImage: values['launcher-image'],
    exporterImage: values['exporter-image'],
    report: ({ step, text }) => log(`${step}: ${text}`),
    tell: log,
  });
} catch (error) {
  rmSync(dataDir, { recursive: true, force: true });
  fail(error instanceof Error ? error.message : String(error), 1);
}
stack.controlPlane?.onExit((crash) => {
  log(crash.message);
  void end(1);
});

let ending = false;
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  await stack.stop();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code);
}

const pids = {
  relay: [stack.relay.process.process.pid],
  functions: [stack.functions.process.process.pid],
  table: process.pid,
};
process.stdout.write(`${JSON.stringify({ kubeconfig: stack.kubeconfigPath, pids })}\n`);
await ended;
await end(0);
