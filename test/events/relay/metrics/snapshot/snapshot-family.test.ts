import { expect, test } from 'vitest';
import { Scrape } from '../../support/scrape.ts';

test('snapshots that have succeeded tell when they were taken', async () => {
  const snapshot = (name: string, phase: string) => ({
    metadata: { name, namespace: 'ns', uid: name, resourceVersion: '1' },
    spec: { source: { name: 'vm' } },
    status: { phase, creationTime: '2026-12-01T00:00:00Z' },
  });
  const scrape = new Scrape({ snapshot: [snapshot('done', 'Succeeded'), snapshot('failed', 'Failed')] });
  expect(await scrape.of('kubevirt_vmsnapshot_succeeded_timestamp_seconds')).toEqual([
    { labels: { name: 'vm', snapshot_name: 'done', namespace: 'ns' }, value: Date.parse('2026-12-01') / 1000 },
  ]);
});
