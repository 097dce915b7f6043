import type { LeaseStanding } from '../leadership/leadership.ts';
import type { KindHealth } from '../reflector/reflectors.ts';
import type { Metrics } from './metrics.ts';

/** How the relay stands, read when somebody asks. */
export interface Standing {
  /** Whether leader election runs. */
  readonly electing: boolean;
  /** What /leader says. */
  readonly leading: boolean;
  /** The fencing token; 0: none yet. */
  readonly token: number;
  readonly leases: readonly LeaseStanding[];
  readonly kinds: readonly KindHealth[];
}

/** virt-controller's component metrics (runtime.md 12.1), and the relay's own of leases and reflectors. */
export function registerRelayMetrics(metrics: Metrics, standing: () => Standing): void {
  const gauge = (name: string, help: string, value: () => number) =>
    metrics.scraped({ name, help, type: 'gauge', samples: () => [{ labels: {}, value: value() }] });
  gauge('kubevirt_virt_controller_ready_status', 'Whether leader election runs.', () => +standing().electing);
  gauge('kubevirt_virt_controller_leading_status', 'Whether this relay leads.', () => +standing().leading);
  gauge('virt_functions_relay_token', 'Fencing token of the last acquisition.', () => standing().token);

  const leases = (name: string, help: string, value: (lease: LeaseStanding) => number) =>
    metrics.scraped({
      name,
      help,
      type: 'gauge',
      samples: () => standing().leases.map((l) => ({ labels: { lease: l.name }, value: value(l) })),
    });
  leases('virt_functions_relay_lease_held', 'Whether the lease is held.', (l) => +l.held);
  leases('virt_functions_relay_lease_remaining_seconds', 'Time until others may take it.', (l) => l.remainingMs / 1000);

  const kinds = (name: string, help: string, value: (kind: KindHealth) => number) =>
    metrics.scraped({
      name,
      help,
      type: 'gauge',
      samples: () => standing().kinds.map((k) => ({ labels: { kind: k.kind }, value: value(k) })),
    });
  kinds('virt_functions_relay_reflector_healthy', 'Whether the kind is followed.', (k) => +(k.trouble === undefined));
  kinds(
    'virt_functions_relay_reflector_silent_seconds',
    'Time since the last word about the kind.',
    (k) => k.silentMs / 1000,
  );
  kinds('virt_functions_relay_cached_objects', 'Objects of the kind in the cache.', (k) => k.objects);
}
