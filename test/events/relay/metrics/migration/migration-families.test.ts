import { expect, test } from 'vitest';
import { Scrape } from '../../support/scrape.ts';

const migration = (name: string, phase?: string) => ({
  metadata: { name, namespace: 'ns', uid: name, resourceVersion: '1' },
  spec: { vmiName: 'a' },
  ...(phase === undefined ? {} : { status: { phase } }),
});

const gauge = (phase: string) => `kubevirt_vmi_migrations_in_${phase}_phase`;

test('runtime case 80: phases under way count as running; a final one has its own series', async () => {
  const s = new Scrape({ migration: [migration('m1', 'PreparingTarget'), migration('m2', 'Succeeded')] });
  expect(await s.of(gauge('running'))).toEqual([{ labels: {}, value: 1 }]);
  expect(await s.of('kubevirt_vmi_migration_succeeded')).toEqual([
    { labels: { vmi: 'a', vmim: 'm2', namespace: 'ns' }, value: 1 },
  ]);
  expect(await s.of('kubevirt_vmi_migration_failed')).toEqual([]);
});

test('runtime case 81: without migrations the four gauges are 0', async () => {
  const s = new Scrape();
  for (const phase of ['pending', 'scheduling', 'unset', 'running'])
    expect(await s.of(gauge(phase))).toEqual([{ labels: {}, value: 0 }]);
  s.leading = false;
  expect(await s.of(gauge('pending'))).toEqual([]);
});
