import { describe, expect, test } from 'vitest';
import { KubeApi } from '../../../events/relay/kube/api.ts';
import { KubeLease } from '../../../events/relay/leadership/kube-lease.ts';
import {
  type Attempt,
  checkTiming,
  DEFAULT_TIMING,
  type Lease,
  LeaseKeeper,
} from '../../../events/relay/leadership/lease-keeper.ts';
import { ScriptedHttp } from './support/scripted-http.ts';
import { VirtualTime } from './support/virtual-time.ts';

interface Record_ {
  metadata: { resourceVersion: string };
  spec: {
    holderIdentity?: string;
    leaseTransitions?: number;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
  };
}

/** The Lease object's storage, with optimistic concurrency. */
function leaseServer(time: VirtualTime) {
  const http = new ScriptedHttp();
  const server = { object: undefined as Record_ | undefined, version: 1, http };
  http.answer = (request) => {
    if (request.method === 'GET')
      return server.object ? { status: 200, body: server.object } : { status: 404, body: { reason: 'NotFound' } };
    const sent = JSON.parse(String(request.body)) as Record_;
    if (request.method === 'POST') {
      if (server.object) return { status: 409, body: { reason: 'AlreadyExists' } };
    } else if (sent.metadata.resourceVersion !== server.object?.metadata.resourceVersion)
      return { status: 409, body: { reason: 'Conflict' } };
    server.object = { ...sent, metadata: { ...sent.metadata, resourceVersion: String(server.version++) } };
    return { status: server.object ? 200 : 201, body: server.object };
  };
  const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
  const candidate = (name: string) => new KubeLease(api, 'kubevirt', name, DEFAULT_TIMING, time.ports);
  return { server, candidate };
}

describe("virt-controller's Lease (runtime.md 5)", () => {
  test('runtime case 36: missing Lease is created with transitions 0', async () => {
    const time = new VirtualTime();
    const { server, candidate } = leaseServer(time);
    expect(await candidate('me').acquire()).toEqual({ type: 'held' });
    expect(server.object?.spec).toMatchObject({ holderIdentity: 'me', leaseTransitions: 0, leaseDurationSeconds: 15 });
  });

  test('runtime cases 37, 38 and 40: only the time since the record was last seen to change counts', async () => {
    const time = new VirtualTime();
    const { server, candidate } = leaseServer(time);
    await candidate('other').acquire();
    // The holder's clock is an hour ahead; it does not matter.
    if (server.object) server.object.spec.renewTime = new Date(time.now + 3_600_000).toISOString();
    const me = candidate('me');
    expect(await me.acquire()).toMatchObject({ type: 'refused' });
    await time.advance(14_999);
    expect(await me.acquire()).toMatchObject({ type: 'refused' });
    await time.advance(1);
    expect(await me.acquire()).toEqual({ type: 'held' });
    expect(server.object?.spec).toMatchObject({ holderIdentity: 'me', leaseTransitions: 1 });
  });

  test('runtime case 39: a Lease without holder is taken at once', async () => {
    const time = new VirtualTime();
    const { server, candidate } = leaseServer(time);
    const other = candidate('other');
    await other.acquire();
    await other.release();
    expect(await candidate('me').acquire()).toEqual({ type: 'held' });
    expect(server.object?.spec.holderIdentity).toBe('me');
  });

  test('runtime case 41: of two candidates that write at once one stays candidate', async () => {
    const time = new VirtualTime();
    const { candidate } = leaseServer(time);
    const results = await Promise.all([candidate('a').acquire(), candidate('b').acquire()]);
    expect(results.map((r) => r.type).sort()).toEqual(['held', 'refused']);
  });

  test('runtime case 43: own name already holder: continued, transitions unchanged', async () => {
    const time = new VirtualTime();
    const { server, candidate } = leaseServer(time);
    await candidate('me').acquire();
    const acquired = server.object?.spec.acquireTime;
    await time.advance(1000);
    expect(await candidate('me').acquire()).toEqual({ type: 'held' });
    expect(server.object?.spec).toMatchObject({ leaseTransitions: 0, acquireTime: acquired });
  });

  test('runtime case 44: impossible timing is refused at start', () => {
    expect(() => checkTiming({ durationMs: 10_000, renewDeadlineMs: 10_000, retryMs: 2_000 })).toThrow(/longer/);
  });
});

describe('keeping a lease', () => {
  function kept(renew: () => Promise<Attempt>) {
    const time = new VirtualTime();
    const lease: Lease = {
      name: 'test',
      acquire: () => Promise.resolve({ type: 'held' }),
      renew,
      release: () => Promise.resolve(),
    };
    return { time, keeper: new LeaseKeeper(lease, DEFAULT_TIMING, time.ports) };
  }

  test('runtime case 42: no renewal for 10 s ends it; before that it may act', async () => {
    const { time, keeper } = kept(() => Promise.resolve({ type: 'refused', why: 'down' }));
    await keeper.acquire();
    let ended = false;
    void keeper.keep().then(() => (ended = true));
    await time.advance(9_000);
    expect([keeper.mayAct, ended]).toEqual([true, false]);
    await time.advance(3_000);
    expect([keeper.mayAct, ended]).toEqual([false, true]);
  });

  test('a renewal that hangs is given up at the deadline', async () => {
    const { time, keeper } = kept(() => new Promise(() => undefined));
    await keeper.acquire();
    let ended = false;
    void keeper.keep().then(() => (ended = true));
    await time.advance(10_001);
    expect([keeper.mayAct, ended]).toEqual([false, true]);
    expect(keeper.remainingMs).toBeLessThan(5_000);
  });

  test('the time before a renewal was sent counts, and a jump of the wall clock too', async () => {
    const { time, keeper } = kept(() => Promise.resolve({ type: 'held' }));
    await keeper.acquire();
    void keeper.keep();
    await time.advance(60_000);
    expect(keeper.mayAct).toBe(true);
    time.now += 11_000;
    expect(keeper.mayAct).toBe(false);
  });
});
