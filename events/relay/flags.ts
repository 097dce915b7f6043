/** The relay's command line: virt-controller's flags of the same meaning, by the same names (runtime.md 9), and its own. */
import { parseArgs } from 'node:util';
import type { ProcessParameters } from '../../functions/core/configuration/configuration.ts';
import { threadFlags } from './controller-threads.ts';
import { parseAddress } from './function-access/address-list.ts';
import { DEFAULT_TIMING, type LeaseTiming } from './leadership/lease-keeper.ts';
import { DEFAULT_PATIENCE_MS, type ShadowTiming } from './shadow/shadow-timing.ts';

export interface RelayFlags {
  readonly kubeconfig: string | undefined;
  /** `shadow`: looks on, compares, writes nothing. */
  readonly mode: 'lead' | 'shadow';
  /** Address of all functions that have none of their own. */
  readonly functions: string | undefined;
  /** A file with addresses (`function-access/address-list.ts`). */
  readonly functionsFile: string | undefined;
  readonly functionOf: Readonly<Record<string, string>>;
  /** `iam`: requests are signed for AWS as well. */
  readonly functionAuth: 'hmac' | 'iam';
  readonly shadow: ShadowTiming;
  readonly namespace: string;
  readonly identity: string | undefined;
  readonly parameters: ProcessParameters;
  readonly timing: LeaseTiming;
  /** Address to listen on; absent: the loopback interface without TLS, every address with it. */
  readonly listen: string | undefined;
  readonly port: number;
  readonly healthPort: number;
  readonly certFile: string;
  readonly keyFile: string;
  readonly verbosity: number;
  /** Keys in flight at most, by the controller's name, where they differ from its own. */
  readonly concurrencyOf: Readonly<Record<string, number>>;
}

export type ParsedFlags =
  | { readonly type: 'options'; readonly options: RelayFlags }
  | { readonly type: 'help' }
  | { readonly type: 'error'; readonly message: string };

export const usage = `usage: relay --functions URL | --functions-file FILE [options]
  --functions URL                      base address of the functions (…/v1/reconcile/<controller>)
  --function NAME=URL                  address of one function, where it has its own (repeatable)
  --functions-file FILE                such addresses, one a line
  --function-auth hmac|iam             iam: signed with the role's credentials as well (default: VIRT_FUNCTIONS_AUTH, else hmac)
  --mode lead|shadow                   shadow: decides, compares with what the leader does, writes nothing (default lead)
  --shadow-patience DURATION           how long the leader may take for what a shadow would have written (default 30s)
  --shadow-for DURATION                a shadow ends after that time, with its report (default: when it is stopped)
  --kubeconfig FILE                    default: in-cluster, else KUBECONFIG
  --namespace NAME                     KubeVirt's namespace (default kubevirt)
  --identity NAME                      holder of the Lease virt-controller (default: the host name)
  --launcher-image, --exporter-image, --image-pull-secret, --sidecar-shim-image NAME
  --launcher-qemu-timeout SECONDS      (default 240)
  --kubevirt-share-dir, --ephemeral-disk-dir, --container-disk-dir, --hotplug-disk-dir DIR
  --cluster-architecture ARCH          of the replaced controller (default amd64)
  --additional-launcher-annotations-sync, --additional-launcher-labels-sync LIST
  --leader-elect-lease-duration, --leader-elect-renew-deadline, --leader-elect-retry-period DURATION
                                       (defaults 15s, 10s, 2s)
  --<name>-controller-threads NUMBER   keys in flight at most; names: ${Object.keys(threadFlags).join(', ')}
  --port PORT                          /metrics, /healthz and /leader (default 8182; 0: any free one)
  --health-port PORT                   /healthz and /leader again (default 8443; 0: any free one)
  --prom-cert-file, --prom-key-file FILE
                                       HTTPS on both ports if both are there (default /etc/virt-controller/certificates/tls.*)
  --listen ADDRESS                     default: 0.0.0.0 with HTTPS, 127.0.0.1 without
  -v LEVEL                             log verbosity until the KubeVirt object is known (default 2)`;

const MAX_THREADS = 1000;
const text = { type: 'string' } as const;

export function parseRelayFlags(args: readonly string[]): ParsedFlags {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        functions: text,
        function: { type: 'string', multiple: true, default: [] },
        'functions-file': text,
        'function-auth': { ...text, default: process.env['VIRT_FUNCTIONS_AUTH'] ?? 'hmac' },
        mode: { ...text, default: 'lead' },
        'shadow-patience': text,
        'shadow-for': text,
        kubeconfig: text,
        namespace: { ...text, default: 'kubevirt' },
        identity: text,
        'launcher-image': { ...text, default: 'virt-launcher' },
        'exporter-image': { ...text, default: 'virt-exportserver' },
        'image-pull-secret': { ...text, default: '' },
        'sidecar-shim-image': { ...text, default: process.env['SIDECAR_SHIM_IMAGE'] ?? '' },
        'launcher-qemu-timeout': { ...text, default: '240' },
        'kubevirt-share-dir': { ...text, default: '/var/run/kubevirt' },
        'ephemeral-disk-dir': { ...text, default: '/var/run/kubevirt-ephemeral-disks' },
        'container-disk-dir': { ...text, default: '/var/run/kubevirt/container-disks' },
        'hotplug-disk-dir': { ...text, default: '/var/run/kubevirt/hotplug-disks' },
        'cluster-architecture': { ...text, default: 'amd64' },
        'additional-launcher-annotations-sync': { ...text, default: '' },
        'additional-launcher-labels-sync': { ...text, default: '' },
        'leader-elect-lease-duration': text,
        'leader-elect-renew-deadline': text,
        'leader-elect-retry-period': text,
        listen: text,
        port: { ...text, default: '8182' },
        'health-port': { ...text, default: '8443' },
        'prom-cert-file': { ...text, default: '/etc/virt-controller/certificates/tls.crt' },
        'prom-key-file': { ...text, default: '/etc/virt-controller/certificates/tls.key' },
        v: { ...text, short: 'v', default: '2' },
        ...Object.fromEntries(Object.keys(threadFlags).map((name) => [`${name}-controller-threads`, text])),
      },
    });
    if (values.help) return { type: 'help' };
    if (values.functions === undefined && values['functions-file'] === undefined)
      return { type: 'error', message: '--functions or --functions-file is needed (see --help)' };
    const qemuTimeout = Number(values['launcher-qemu-timeout']);
    if (!Number.isInteger(qemuTimeout) || qemuTimeout < 0)
      return { type: 'error', message: '--launcher-qemu-timeout takes whole seconds' };
    return {
      type: 'options',
      options: {
        kubeconfig: values.kubeconfig,
        mode: oneOf('--mode', values.mode, ['lead', 'shadow']),
        functions: values.functions === undefined ? undefined : address(values.functions),
        functionsFile: values['functions-file'],
        functionOf: Object.fromEntries(values.function.map(parseAddress)),
        functionAuth: oneOf('--function-auth', values['function-auth'], ['hmac', 'iam']),
        shadow: {
          patienceMs: duration(values['shadow-patience'], DEFAULT_PATIENCE_MS),
          endAfterMs: values['shadow-for'] === undefined ? undefined : duration(values['shadow-for'], 0),
        },
        namespace: values.namespace,
        identity: values.identity,
        timing: {
          durationMs: duration(values['leader-elect-lease-duration'], DEFAULT_TIMING.durationMs),
          renewDeadlineMs: duration(values['leader-elect-renew-deadline'], DEFAULT_TIMING.renewDeadlineMs),
          retryMs: duration(values['leader-elect-retry-period'], DEFAULT_TIMING.retryMs),
        },
        listen: values.listen,
        port: whole('--port', values.port, 65_535),
        healthPort: whole('--health-port', values['health-port'], 65_535),
        certFile: values['prom-cert-file'],
        keyFile: values['prom-key-file'],
        // Go's flags are written `-v=4` as well.
        verbosity: whole('-v', values.v.replace(/^=/, ''), 10),
        concurrencyOf: concurrencies(values),
        parameters: {
          launcherImage: values['launcher-image'],
          exporterImage: values['exporter-image'],
          launcherQemuTimeoutSeconds: qemuTimeout,
          imagePullSecret: values['image-pull-secret'],
          kubevirtShareDir: values['kubevirt-share-dir'],
          ephemeralDiskDir: values['ephemeral-disk-dir'],
          containerDiskDir: values['container-disk-dir'],
          hotplugDiskDir: values['hotplug-disk-dir'],
          sidecarShimImage: values['sidecar-shim-image'],
          clusterArchitecture: values['cluster-architecture'],
          additionalLauncherAnnotationsSync: list(values['additional-launcher-annotations-sync']),
          additionalLauncherLabelsSync: list(values['additional-launcher-labels-sync']),
        },
      },
    };
  } catch (e) {
    return { type: 'error', message: e instanceof Error ? e.message : String(e) };
  }
}

function list(value: string): string[] {
  return value === '' ? [] : value.split(',');
}

function oneOf<const T extends string>(flag: string, value: string, known: readonly T[]): T {
  const found = known.find((k) => k === value);
  if (found === undefined) throw new Error(`${flag} takes ${known.join(' or ')}, not ${value}`);
  return found;
}

function address(value: string): string {
  if (!URL.canParse(value)) throw new Error(`${value} is no address`);
  return value;
}

/** A whole number from 0 to `most`. */
function whole(flag: string, value: string, most: number): number {
  const number = Number(value);
  if (value === '' || !Number.isInteger(number) || number < 0 || number > most)
    throw new Error(`${flag} takes a whole number up to ${most}, not ${value}`);
  return number;
}

function concurrencies(values: Readonly<Record<string, unknown>>): Record<string, number> {
  const given: Record<string, number> = {};
  for (const [name, controllers] of Object.entries(threadFlags)) {
    const flag = `${name}-controller-threads`;
    const value = values[flag];
    if (typeof value !== 'string') continue;
    const threads = whole(`--${flag}`, value, MAX_THREADS);
    if (threads === 0) throw new Error(`--${flag} must be at least 1`);
    for (const controller of controllers) given[controller] = threads;
  }
  return given;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration as Go writes it, in milliseconds. */
function duration(value: string | undefined, otherwise: number): number {
  if (value === undefined) return otherwise;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map((p) => p[0]).join('') !== value) throw new Error(`${value} is no duration`);
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ''] ?? 0), 0);
}
