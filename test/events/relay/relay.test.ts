import { expect, test } from 'vitest';
import { anyController, defineController } from '../../../functions/core/controller.ts';
import { VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { vmi as vmiController } from '../../../functions/vmi/reads.ts';
import { kubeVirt, RelayHarness, vmiObject as vmi } from './support/relay-harness.ts';

test('a relay that leads delivers what there is', async () => {
  const h = new RelayHarness();
  h.objects['virtualmachineinstances'] = [vmi('a', 5)];
  await h.start();
  expect(h.relay.leading).toBe(true);
  expect(h.delivered).toEqual(['ns/a']);
});

test('runtime case 45: a stand-by does not say that it leads', async () => {
  const h = new RelayHarness();
  h.instead = ({ method, path }) =>
    path.includes('/leases') && method === 'GET'
      ? { status: 200, body: { metadata: {}, spec: { holderIdentity: 'other', leaseDurationSeconds: 15 } } }
      : undefined;
  await h.start();
  expect(h.relay.leading).toBe(false);
  expect(await h.series('kubevirt_virt_controller_ready_status')).toBe('kubevirt_virt_controller_ready_status 1');
  expect(await h.series('kubevirt_virt_controller_leading_status')).toBe('kubevirt_virt_controller_leading_status 0');
});

test('runtime case 46: the leader says so once claims are known, not before', async () => {
  const h = new RelayHarness();
  const down = { status: 503, body: { reason: 'ServiceUnavailable' } };
  h.instead = ({ path }) => (path.includes('/persistentvolumeclaims') ? down : undefined);
  await h.start();
  await h.time.advance(5000);
  expect(h.relay.leading).toBe(false);
  h.instead = () => undefined;
  await h.time.advance(20_000);
  expect(h.relay.leading).toBe(true);
  expect(await h.series('kubevirt_virt_controller_leading_status')).toBe('kubevirt_virt_controller_leading_status 1');
});

test('every key is visited again after its controller’s period, though nothing changes', async () => {
  const often = anyController(
    defineController({
      name: 'vmi',
      primary: VirtualMachineInstance,
      concurrency: 2,
      eventSource: 'x',
      reads: {},
      visitEveryMs: 300_000,
    }),
  );
  const h = new RelayHarness([often, anyController({ ...vmiController, name: 'other' })]);
  h.objects['virtualmachineinstances'] = [vmi('a', 5), vmi('b', 6)];
  await h.start();
  expect(h.delivered.sort()).toEqual(['ns/a', 'ns/a', 'ns/b', 'ns/b']);
  await h.time.advance(295_000);
  expect(h.delivered).toHaveLength(4);
  await h.time.advance(10_000);
  expect(h.delivered).toHaveLength(6);
  await h.time.advance(300_000);
  expect(h.delivered).toHaveLength(8);
});

test('runtime case 62: the limits of the API client follow the KubeVirt object', async () => {
  const h = await new RelayHarness().start();
  const limited = kubeVirt('11', {
    controllerConfiguration: { restClient: { rateLimiter: { tokenBucketRateLimiter: { qps: 1, burst: 1 } } } },
  });
  h.watched('kubevirts', limited);
  await h.time.advance(10);
  const before = lists(h);
  // Five kinds are listed anew at once: one goes, the others wait for a second each.
  for (const plural of ['pods', 'namespaces', 'resourcequotas', 'persistentvolumeclaims', 'virtualmachines'])
    h.kube.streams.findLast((s) => s.path.includes(`/${plural}?`))?.send({ type: 'ERROR', object: { code: 410 } });
  await h.time.advance(500);
  expect(lists(h) - before).toBe(1);
  await h.time.advance(10_000);
  expect(lists(h) - before).toBe(5);
});

test('a kind that RBAC forbids makes the relay unhealthy, and it says which', async () => {
  const h = new RelayHarness();
  const forbidden = { status: 403, body: { reason: 'Forbidden', message: 'resourcequotas is forbidden' } };
  h.instead = ({ path }) => (path.includes('/resourcequotas') ? forbidden : undefined);
  await h.start();
  const asked = h.relay.healthz();
  await h.time.advance(10);
  const { status, body } = await asked;
  expect(status).toBe(500);
  expect(body.apiserver).toMatchObject({ error: 'ResourceQuota: forbidden: resourcequotas is forbidden' });
});

function lists(h: RelayHarness): number {
  return h.kube.requests.filter((r) => r.path.includes('limit=500')).length;
}
