/**
 * Entry of the relay.
 *
 *   node events/relay/main.ts --functions http://127.0.0.1:8000 [--kubeconfig FILE] [options of virt-controller]
 *
 * Signing keys come from the environment variable VIRT_FUNCTIONS_SIGNING_KEYS. Tells its parent, or stdout, in one line of JSON when it
 * has started and when it leads. Ends with 1 when leadership is lost, as virt-controller does; whoever started it starts it again.
 */
import { hostname } from 'node:os';
import { anyController } from '../../functions/core/controller.ts';
import { vm } from '../../functions/vm/reads.ts';
import { vmi } from '../../functions/vmi/reads.ts';
import { parseSigningKeys } from '../envelope/signing.ts';
import { parseRelayFlags, usage } from './flags.ts';
import { functionAddresses } from './function-addresses.ts';
import { KubeHttp } from './kube/http.ts';
import { loadKubeConfig } from './kube/kubeconfig.ts';
import { Relay } from './relay.ts';
import { systemPorts } from './system-ports.ts';

/** To whoever started it: over the channel to its parent where there is one, else on stdout. */
function say(line: Readonly<Record<string, unknown>>): void {
  if (process.send) process.send(line);
  else process.stdout.write(`${JSON.stringify(line)}\n`);
}

function fail(message: string): never {
  process.stderr.write(`relay: ${message}\n`);
  process.exit(2);
}

const flags = parseRelayFlags(process.argv.slice(2));
if (flags.type === 'help') {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
if (flags.type === 'error') fail(flags.message);
const { options } = flags;
const secret = process.env['VIRT_FUNCTIONS_SIGNING_KEYS'];
if (secret === undefined) fail('VIRT_FUNCTIONS_SIGNING_KEYS is not set');

const ports = systemPorts();
const relay = new Relay({
  controllers: [anyController(vm), anyController(vmi)],
  cluster: new KubeHttp(loadKubeConfig(options.kubeconfig)),
  functions: functionAddresses(options.functions, options.functionOf),
  keys: parseSigningKeys(secret),
  ports,
  namespace: options.namespace,
  identity: options.identity ?? hostname(),
  parameters: options.parameters,
  timing: options.timing,
  onLeading: (token) => say({ state: 'leading', token }),
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void relay.stop().finally(() => process.exit(0));
  });
}

say({ state: 'started', pid: process.pid });
const reason = await relay.run();
if (reason !== 'stopped') {
  ports.log.error('leadership lost', { reason });
  process.exit(1);
}
