// A wrong setting of the client limits made the leader lose its lease (kubevirt PR 6726).
import { expect, test } from 'vitest';
import { kubeVirt, RelayHarness, vmiObject } from '../events/relay/support/relay-harness.ts';

test('with a request every ten seconds allowed, and many wanted, the lease is renewed in time for five minutes', async () => {
  const h = new RelayHarness();
  const keys = Array.from({ length: 20 }, (_, i) => vmiObject(`vmi-${i}`, 5));
  h.objects['virtualmachineinstances'] = keys;
  await h.start();
  const tokenBucketRateLimiter = { qps: 0.1, burst: 1 };
  h.watched(
    'kubevirts',
    kubeVirt('11', { controllerConfiguration: { restClient: { rateLimiter: { tokenBucketRateLimiter } } } }),
  );
  await h.time.advance(100);
  // Every key wants a write, again and again.
  h.decide = ({ primary: object }) => ({
    outcome: { type: 'requeue-after', afterMs: 1000 },
    actions: object === null ? [] : [{ id: 'w', verb: 'update', object }],
  });
  for (const key of keys)
    h.watched('virtualmachineinstances', { ...key, metadata: { ...key.metadata, resourceVersion: '12' } });
  let oldest = 0;
  for (let second = 0; second < 300; second++) {
    await h.time.advance(1000);
    oldest = Math.max(oldest, h.leaseAgeMs);
  }
  expect(oldest).toBeLessThan(10_000);
  expect(h.relay.leading).toBe(true);
  // The limit did hold what it is for.
  const writes = h.kube.requests.filter((r) => r.method === 'PUT' && r.path.includes('/virtualmachineinstances/'));
  expect(writes.length).toBeGreaterThan(0);
  expect(writes.length).toBeLessThan(35);
});
