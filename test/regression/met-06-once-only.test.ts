// A metric reported once only, a size in `storage` not seen, queues without metrics (kubevirt PR 16463, PR 14204, PR 15533).
import { expect, test } from 'vitest';
import { anyController } from '../../functions/core/controller.ts';
import { vm } from '../../functions/vm/reads.ts';
import { vmi } from '../../functions/vmi/reads.ts';
import { RelayHarness } from '../events/relay/support/relay-harness.ts';
import { sampleScrape } from '../events/relay/support/sample-scrape.ts';
import { Scrape } from '../events/relay/support/scrape.ts';

test('two scrapes bring the same series', async () => {
  const { metrics } = sampleScrape();
  const first = await metrics.text();
  expect(await metrics.text()).toBe(first);
});

test('the size in a data volume template’s storage is told', async () => {
  const metadata = { namespace: 'ns', uid: 'x', resourceVersion: '1' };
  const machine = {
    metadata: { ...metadata, name: 'a' },
    spec: {
      dataVolumeTemplates: [
        { metadata: { name: 'disk' }, spec: { storage: { resources: { requests: { storage: '5Gi' } } } } },
      ],
      template: { spec: { domain: {}, volumes: [{ name: 'root', dataVolume: { name: 'disk' } }] } },
    },
  };
  const claim = { metadata: { ...metadata, name: 'disk' }, spec: {} };
  const series = await new Scrape({ vm: [machine], claim: [claim] }).of('kubevirt_vm_disk_allocated_size_bytes');
  expect(series.map((s) => s.value)).toEqual([5 * 1024 ** 3]);
});

test('the queue of every controller has all its metrics, before anything went through it', async () => {
  const text = await new RelayHarness([anyController(vm), anyController(vmi)]).metrics.text();
  const names = [
    'depth',
    'adds_total',
    'queue_duration_seconds_count',
    'work_duration_seconds_count',
    'retries_total',
    'longest_running_processor_seconds',
    'unfinished_work_seconds',
  ];
  for (const queue of ['virt-controller-vm', 'virt-controller-vmi'])
    for (const name of names) expect(text).toContain(`kubevirt_workqueue_${name}{name="${queue}"} 0\n`);
});
