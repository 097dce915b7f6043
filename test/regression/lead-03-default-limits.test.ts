// With too low a limit 1000 VMs took 22.7 minutes (kubevirt PR 7879, PR 4772).
import { expect, test } from 'vitest';
import { RelayHarness, vmiObject } from '../events/relay/support/relay-harness.ts';

const VMIS = 1000;

function podOf(key: string) {
  const name = key.slice('ns/'.length);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `virt-launcher-${name}`,
      namespace: 'ns',
      labels: { 'kubevirt.io': 'virt-launcher' },
      ownerReferences: [
        { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name, uid: `uid-${name}`, controller: true },
      ],
    },
    spec: { containers: [] },
  };
}

const createPodOnce: RelayHarness['decide'] = ({ key, reads }) => {
  const isThere = Array.isArray(reads['pods']) && reads['pods'].length > 0;
  return { outcome: { type: 'done' }, actions: isThere ? [] : [{ id: 'pod', verb: 'create', object: podOf(key) }] };
};

async function secondsFor(h: RelayHarness): Promise<number> {
  h.objects['virtualmachineinstances'] = Array.from({ length: VMIS }, (_, i) => vmiObject(`vmi-${i}`, 5));
  h.latencyMs = 5;
  h.decide = createPodOnce;
  void h.relay.run();
  const start = h.time.now;
  while (created(h) < VMIS && h.time.now - start < 600_000) await h.time.advance(250);
  expect(created(h)).toBe(VMIS);
  return (h.time.now - start) / 1000;
}

function created(h: RelayHarness): number {
  return h.kube.requests.filter((r) => r.method === 'POST' && r.path.endsWith('/pods')).length;
}

test('1000 VMIs get their pods at 17 a second or more, by the default limits', async () => {
  expect(VMIS / (await secondsFor(new RelayHarness()))).toBeGreaterThan(17);
});

test('429 with Retry-After is honoured: the same request comes again after that time, not before', async () => {
  const h = new RelayHarness();
  const tries: number[] = [];
  h.instead = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/pods')) return undefined;
    tries.push(h.time.now);
    const busy = { status: 429, body: { reason: 'TooManyRequests' }, headers: { 'retry-after': '3' } };
    return tries.length <= 2 ? busy : undefined;
  };
  h.objects['virtualmachineinstances'] = [vmiObject('a', 5)];
  h.decide = createPodOnce;
  await h.start();
  await h.time.advance(10_000);
  expect(tries).toHaveLength(3);
  const pauses = tries.slice(1).map((at, i) => at - (tries[i] ?? 0));
  for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(3000);
});
