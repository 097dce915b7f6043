/** VMI-01, pull request 18206 of KubeVirt: a lost pod event stopped a VMI for hours. */
import { expect, test } from 'vitest';
import { EXPECTATION_LIMIT_MS } from '../../functions/core/expectation.ts';
import { Pod } from '../../functions/core/kinds.ts';
import { DeliveryHarness } from '../events/relay/support/delivery-harness.ts';
import { handedOver, runningPod } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

test('VMI-01: a deletion that is not observed holds the sync back for five minutes, not longer', () => {
  const world = worldOf(handedOver('Running', { metadata: deleted }), runningPod());
  world.cluster.holdWatch('Pod', 'blind');
  world.pass();
  world.later(10_000);
  expect(world.pass()).toMatchObject({ type: 'stale', actions: [], expectation: { kind: 'Pod' } });
  world.later(EXPECTATION_LIMIT_MS);
  expect(world.pass().actions.map((a) => a.verb)).toContain('delete');
});

test('VMI-01: a key that waits for what never comes is visited again after five minutes', async () => {
  const h = new DeliveryHarness('a');
  const outcome = { type: 'stale', kind: 'Pod', resourceVersion: '999', afterMs: EXPECTATION_LIMIT_MS } as const;
  h.decide = () => (h.requests.length === 1 ? { outcome, actions: [] } : { outcome: { type: 'done' }, actions: [] });
  h.delivery.start();
  await h.time.advance(EXPECTATION_LIMIT_MS - 1_000);
  h.caches.of(Pod).bookmarked('998');
  expect(h.requests).toHaveLength(1);
  await h.time.advance(2_000);
  expect(h.requests).toHaveLength(2);
});
