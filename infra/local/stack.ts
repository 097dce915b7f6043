/**
 * `npm run stack -- --bare [--kubeconfig FILE] [--replicas N]`: control plane without scheduler and node agent, table, functions
 * and relay, for tests and measurements. Prints one line of JSON when it is ready and stays until SIGTERM, or until its parent is gone.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { guard } from './processes/guard.ts';
import { Supervisor } from './processes/supervisor.ts';
import { termination } from './processes/termination.ts';
import { type Stack, startStack } from './stack/stack.ts';
import { checkSpace, explain, messageOf } from './start/data.ts';

const usage =
  'usage: npm run stack -- --bare [--kubeconfig FILE] [--replicas NUMBER] [--launcher-image NAME] [--exporter-image NAME]';

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
        replicas: { type: 'string', default: '1' },
        // What the reference was recorded with.
        'launcher-image': { type: 'string', default: 'registry.example/virt-launcher:v1' },
        'exporter-image': { type: 'string', default: 'registry.example/virt-exportserver:v1' },
      },
    }).values;
  } catch (error) {
    return fail(`${messageOf(error)}\n${usage}`, 2);
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'virt-functions-'));
  } catch (error) {
    return fail(`no folder for its data can be made (TMPDIR sets another place): ${messageOf(error)}`, 1);
  }
}

const values = options();
if (!values.bare) fail(`only --bare is offered here; npm start runs the whole system\n${usage}`, 2);
if (!/^[1-9]$/.test(values.replicas)) fail(`--replicas takes a number from 1 to 9\n${usage}`, 2);

const ended = termination();
const dataDir = makeFolder();
guard.removeAtEnd(dataDir);
const supervisor = new Supervisor(join(dataDir, 'logs'));
const log = (text: string): void => void process.stderr.write(`${text}\n`);
let stack: Stack | undefined;
let ending: Promise<never> | undefined;

/** Ends everything in its order, once; whoever asks later waits for the same end. */
function end(code: number, why?: string): Promise<never> {
  ending ??= (async () => {
    if (why !== undefined) process.stderr.write(`stack: ${why}\n`);
    await supervisor.stop();
    await stack?.stop();
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(code);
  })();
  return ending;
}

void ended.then(() => end(0));

async function bringUp(): Promise<Stack> {
  checkSpace(dataDir);
  return startStack({
    dataDir,
    data: 'throw-away',
    scheduler: false,
    relays: Number(values.replicas),
    supervisor,
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    launcherImage: values['launcher-image'],
    exporterImage: values['exporter-image'],
    report: ({ step, text }) => log(`${step}: ${text}`),
    tell: log,
  });
}

const running = await bringUp().catch((error: unknown) => end(1, explain(error, dataDir)));
stack = running;
// The table runs in this process; what its database reports later can only be caught here.
process.on('uncaughtException', (error) => void end(1, explain(error, dataDir)));
running.controlPlane?.onExit((crash) => void end(1, explain(crash, dataDir)));

const pids = {
  relay: running.relay.processes.map((kept) => kept.process.pid),
  functions: [running.functions.process.process.pid],
  table: process.pid,
};
process.stdout.write(`${JSON.stringify({ kubeconfig: running.kubeconfigPath, pids })}\n`);
