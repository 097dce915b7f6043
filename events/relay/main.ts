/**
 * Entry of the relay.
 *
 *   node events/relay/main.ts --functions http://127.0.0.1:8000 [--kubeconfig FILE] [options of virt-controller]
 *
 * Signing keys come from the environment variable VIRT_FUNCTIONS_SIGNING_KEYS. Tells its parent, or stdout, in one line of JSON when it
 * has started and when it leads; a shadow says when it looks on, and what it has seen when it ends. Ends with 1 when leadership is lost, as virt-controller does; whoever started it starts it again.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { declaredControllers } from '../../functions/controllers.ts';
import { parseSigningKeys } from '../envelope/signing.ts';
import type { FunctionAddresses } from './delivery/function-client.ts';
import { parseRelayFlags, usage } from './flags.ts';
import { parseAddresses } from './function-access/address-list.ts';
import { functionAddresses } from './function-access/function-addresses.ts';
import { KubeHttp } from './kube/http.ts';
import { loadKubeConfig } from './kube/kubeconfig.ts';
import { logVerbosity } from './log-verbosity.ts';
import { Metrics } from './metrics/metrics.ts';
import { registerProcessMetrics } from './metrics/process-metrics.ts';
import { Relay } from './relay.ts';
import { Listener } from './serving/listener.ts';
import { healthRoutes, mainRoutes } from './serving/routes.ts';
import { tlsSettings } from './serving/tls-settings.ts';
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

/** Whoever is missing in the list is told of now, not with the first key. */
async function findAddresses(): Promise<FunctionAddresses> {
  const { functions: base, functionOf, functionsFile, functionAuth } = options;
  const listed = functionsFile === undefined ? {} : parseAddresses(readFileSync(functionsFile, 'utf8'));
  const of = { ...listed, ...functionOf };
  // Not loaded where it is not wanted: AWS's chain of credentials is large.
  const aws = functionAuth === 'iam' ? await import('./function-access/aws-signature.ts') : undefined;
  const found = functionAddresses({
    base,
    of,
    ...(aws !== undefined && { signer: (origin: string) => aws.awsSigner(origin, ports.clock) }),
  });
  for (const name of ['lease', ...declaredControllers.map(({ controller }) => controller.name)]) found(name);
  return found;
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

let { verbosity } = options;
const ports = systemPorts(() => verbosity);
const metrics = new Metrics();
registerProcessMetrics(metrics);
const kubeConfig = loadKubeConfig(options.kubeconfig);
const addresses = await findAddresses().catch((e: unknown) => fail(e instanceof Error ? e.message : String(e)));
const relay = new Relay({
  controllers: declaredControllers.map(({ controller: c }) => ({
    ...c,
    concurrency: options.concurrencyOf[c.name] ?? c.concurrency,
  })),
  writes: declaredControllers.map(({ writes }) => writes),
  cluster: new KubeHttp(kubeConfig),
  leases: new KubeHttp(kubeConfig),
  server: kubeConfig.getCurrentCluster()?.server ?? '',
  metrics,
  functions: addresses,
  keys: parseSigningKeys(secret),
  ports,
  namespace: options.namespace,
  identity: options.identity ?? hostname(),
  parameters: options.parameters,
  timing: options.timing,
  ...(options.mode === 'shadow' && { shadow: options.shadow }),
  onLeading: (token) => say({ state: options.mode === 'shadow' ? 'shadowing' : 'leading', token }),
});

async function end(): Promise<never> {
  await relay.stop().catch(() => undefined);
  const report = relay.shadowReport;
  // To whoever reads, whether there is a parent or not.
  if (report !== undefined) process.stdout.write(`${JSON.stringify({ state: 'shadowed', report })}\n`);
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end());
if (options.mode === 'shadow' && options.shadow.endAfterMs !== undefined)
  ports.timers.after(options.shadow.endAfterMs, () => void end());

const listener = new Listener({
  listen: options.listen,
  files: { certFile: options.certFile, keyFile: options.keyFile },
  log: ports.log,
});
relay.onConfiguration((now) => {
  verbosity = logVerbosity(now, hostname());
  listener.configure(tlsSettings(now.kubevirt));
});
const told = {
  health: () => relay.healthz(),
  leading: () => relay.leading,
  shadow: () => relay.shadowReport,
  metrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
};
const [port, healthPort] = await Promise.all([
  listener.serve(mainRoutes(told), options.port),
  listener.serve(healthRoutes(told), options.healthPort),
]).catch((e: unknown) => fail(e instanceof Error ? e.message : String(e)));

say({ state: 'started', pid: process.pid, scheme: listener.scheme, address: listener.address, port, healthPort });
const reason = await relay.run();
if (reason !== 'stopped') {
  ports.log.error('leadership lost', { reason });
  process.exit(1);
}
