import type { Shadow } from '../shadow/shadow.ts';
import type { Metrics } from './metrics.ts';

const OWN = 'virt_functions_relay_shadow';

/** What a shadow tells; there are none where a relay may lead. */
export function registerShadowMetrics(metrics: Metrics, shadow: Pick<Shadow, 'tally' | 'leader' | 'openWrites'>): void {
  metrics.scraped({
    name: `${OWN}_writes_total`,
    help: 'Writes that the shadow wanted, by what the leader did.',
    type: 'counter',
    samples: () =>
      shadow.tally.counts.map(({ controller, verb, kind, judgement, count }) => ({
        labels: { controller, verb, kind, judgement },
        value: count,
      })),
  });
  metrics.scraped({
    name: `${OWN}_unforeseen_total`,
    help: 'Objects that the leader made before the shadow had looked.',
    type: 'counter',
    samples: () =>
      shadow.tally.unforeseen.map(({ controller, kind, count }) => ({ labels: { controller, kind }, value: count })),
  });
  const gauge = (name: string, help: string, value: () => number) =>
    metrics.scraped({ name: `${OWN}_${name}`, help, type: 'gauge', samples: () => [{ labels: {}, value: value() }] });
  gauge(
    'standing_differences',
    'Writes that the shadow wants still and the leader has not done.',
    () => shadow.tally.differences.filter((d) => d.standing).length,
  );
  gauge('open_writes', 'Writes that the leader still has time for.', () => shadow.openWrites);
  gauge('led', 'Whether somebody holds the Lease of virt-controller.', () => +(shadow.leader !== undefined));
}
