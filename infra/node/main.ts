/**
 * The node agent as a process:
 *
 *   node infra/node/main.ts --kubeconfig FILE --node-name NAME --data FOLDER
 *     [--hypervisor auto|libvirt|simulated] [--stop-guests-on-exit]
 *
 * One line of JSON on standard output (or a message to its parent) when the node is registered; log lines on standard error. SIGTERM or SIGINT ends it.
 */
import { parseArgs } from 'node:util';
import { startNodeAgent } from './agent.ts';

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    'node-name': { type: 'string' },
    data: { type: 'string' },
    hypervisor: { type: 'string', default: 'auto' },
    'stop-guests-on-exit': { type: 'boolean', default: false },
  },
});
const log = (line: string): void => {
  process.stderr.write(`${new Date().toISOString()} node: ${line}\n`);
};

function required(name: 'kubeconfig' | 'data'): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing`);
  return value;
}

function choice(): 'auto' | 'libvirt' | 'simulated' {
  const value = values.hypervisor;
  if (value === 'auto' || value === 'libvirt' || value === 'simulated') return value;
  throw new Error(`--hypervisor ${value} is not auto, libvirt or simulated`);
}

try {
  const agent = await startNodeAgent({
    kubeconfig: required('kubeconfig'),
    nodeName: values['node-name'],
    dataFolder: required('data'),
    hypervisor: choice(),
    log,
  });
  const end = (): void => {
    agent
      .stop({ guests: values['stop-guests-on-exit'] ? 'stop' : 'leave' })
      .then(() => process.exit(0))
      .catch((error: unknown) => {
        log(String(error));
        process.exit(1);
      });
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  const ready = { hypervisor: agent.hypervisor, reason: agent.reason };
  // To its parent over the channel between them, where there is one.
  if (process.send) process.send(ready);
  else process.stdout.write(`${JSON.stringify(ready)}\n`);
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
