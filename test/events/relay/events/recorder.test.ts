import { describe, expect, test } from 'vitest';
import { type EventFate, EventRecorder } from '../../../../events/relay/events/recorder.ts';
import { EventRecorders } from '../../../../events/relay/events/recorders.ts';
import { KubeApi } from '../../../../events/relay/kube/api.ts';
import type { EventAction } from '../../../../functions/core/action.ts';
import { anyController } from '../../../../functions/core/controller.ts';
import { vm } from '../../../../functions/vm/reads.ts';
import { vmi } from '../../../../functions/vmi/reads.ts';
import { ScriptedHttp } from '../support/scripted-http.ts';
import { VirtualTime } from '../support/virtual-time.ts';

interface Stored {
  metadata: { name: string; namespace: string };
  involvedObject: { name: string; resourceVersion?: string };
  type: string;
  reason: string;
  message: string;
  count: number;
  source: { component: string };
  firstTimestamp: string;
  lastTimestamp: string;
}

/** A recorder, and the events that the API server has stored. */
function setUp() {
  const http = new ScriptedHttp();
  const time = new VirtualTime();
  const stored = new Map<string, Stored>();
  const fates: EventFate[] = [];
  const server = { down: false, refusal: undefined as { status: number; body: unknown } | undefined, tries: 0 };
  http.answer = ({ method, path, body }) => {
    server.tries++;
    if (server.down) return new Error('connection refused');
    if (server.refusal !== undefined) return server.refusal;
    const sent = JSON.parse(String(body)) as Stored;
    if (method === 'POST') {
      const key = `${path}/${sent.metadata.name}`;
      if (stored.has(key)) return { status: 409, body: { reason: 'AlreadyExists' } };
      stored.set(key, sent);
      return { status: 201, body: sent };
    }
    const known = stored.get(path);
    if (known === undefined) return { status: 404, body: { reason: 'NotFound' } };
    stored.set(path, { ...known, ...sent });
    return { status: 200, body: known };
  };
  const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
  const permit = { mayAct: true, remainingMs: 15_000 };
  const make = (component: string) => new EventRecorder(api, time.ports, component, permit, (f) => fates.push(f));
  return {
    time,
    http,
    permit,
    stored,
    server,
    fates,
    make,
    recorder: make('test'),
    events: () => [...stored.values()],
  };
}

const about = (name: string) => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  namespace: 'ns',
  name,
  uid: `uid-${name}`,
});

function event(message: string, over: Partial<EventAction> = {}): EventAction {
  return { id: 'e', verb: 'event', type: 'Normal', reason: 'Created', message, regarding: about('a'), ...over };
}

describe('counting', () => {
  test('runtime case 69: the same event five times is one object with count 5', async () => {
    const { time, recorder, events } = setUp();
    for (let i = 0; i < 5; i++) {
      recorder.record(event('made it'));
      await time.advance(1000);
    }
    expect(events()).toHaveLength(1);
    expect(events()[0]).toMatchObject({
      count: 5,
      message: 'made it',
      source: { component: 'test' },
      reportingComponent: 'test',
      firstTimestamp: '2026-12-01T00:00:00Z',
      lastTimestamp: '2026-12-01T00:00:04Z',
    });
    expect(events()[0]?.metadata.name).toMatch(/^a\.[0-9a-f]{16}$/);
  });

  test('runtime case 74: a stored event that is gone is created again, its count goes on', async () => {
    const { time, recorder, stored, events } = setUp();
    recorder.record(event('made it'));
    recorder.record(event('made it'));
    await time.advance(10);
    const name = events()[0]?.metadata.name;
    stored.clear();
    recorder.record(event('made it'));
    await time.advance(10);
    expect(events()).toMatchObject([{ count: 3, metadata: { name } }]);
  });

  test('events of objects that differ, by uid alone too, are counted apart', async () => {
    const { time, recorder, events } = setUp();
    recorder.record(event('x'));
    recorder.record(event('x', { regarding: about('b') }));
    recorder.record(event('x', { regarding: { ...about('a'), uid: 'another' } }));
    recorder.record(event('x', { regarding: { ...about('a'), resourceVersion: '9' } }));
    await time.advance(10);
    expect(events().map((e) => e.count)).toEqual([2, 1, 1]);
  });
});

describe('aggregation', () => {
  test('runtime case 70: of ten messages of one reason the tenth is combined, and later ones count it up', async () => {
    const { time, recorder, events } = setUp();
    for (let i = 0; i < 10; i++) {
      recorder.record(event(`message ${i}`));
      await time.advance(30_000);
    }
    expect(events().map((e) => e.message)).toEqual([
      ...Array.from({ length: 9 }, (_, i) => `message ${i}`),
      '(combined from similar events): message 9',
    ]);
    recorder.record(event('message 10'));
    recorder.record(event('message 3'));
    await time.advance(10);
    expect(events()).toHaveLength(10);
    expect(events()[9]).toMatchObject({ count: 2, message: '(combined from similar events): message 10' });
    expect(events()[3]).toMatchObject({ count: 2, message: 'message 3' });
  });

  test('after ten minutes without a similar event messages stand for themselves again', async () => {
    const { time, recorder, events } = setUp();
    for (let i = 0; i < 9; i++) recorder.record(event(`message ${i}`));
    await time.advance(10 * 60_000 + 1);
    recorder.record(event('late'));
    await time.advance(10);
    expect(events().at(-1)?.message).toBe('late');
  });

  test('another reason, another type and another recorder are other groups', async () => {
    const { time, recorder, make, events } = setUp();
    for (let i = 0; i < 9; i++) recorder.record(event(`message ${i}`));
    recorder.record(event('other', { reason: 'Deleted' }));
    recorder.record(event('other', { type: 'Warning' }));
    make('test').record(event('other'));
    await time.advance(10);
    expect(events().filter((e) => e.message === 'other')).toHaveLength(3);
  });
});

test('runtime case 71: 30 Normal events on one object: 25 are stored; Warnings have a bucket of their own', async () => {
  const { time, recorder, events, fates } = setUp();
  for (let i = 0; i < 30; i++) {
    recorder.record(event('x', { reason: `Reason${i}` }));
    await time.advance(2000);
  }
  expect(events()).toHaveLength(25);
  expect(fates.filter((f) => f === 'spam')).toHaveLength(5);
  recorder.record(event('x', { reason: 'Bad', type: 'Warning' }));
  recorder.record(event('x', { reason: 'Else', regarding: about('b') }));
  await time.advance(10);
  expect(events()).toHaveLength(27);
  // One token comes back in 300 s.
  await time.advance(300_000);
  recorder.record(event('x', { reason: 'Again' }));
  recorder.record(event('x', { reason: 'AndAgain' }));
  await time.advance(10);
  expect(events()).toHaveLength(28);
});

test('runtime case 72: an event about a Node lies in the namespace default', async () => {
  const { time, recorder, stored } = setUp();
  recorder.record(event('x', { regarding: { apiVersion: 'v1', kind: 'Node', name: 'node-1', uid: 'n' } }));
  await time.advance(10);
  expect([...stored.keys()][0]).toMatch(/^\/api\/v1\/namespaces\/default\/events\/node-1\./);
});

test('an object whose name makes no valid name of an event gives it a UUID', async () => {
  const { time, recorder, events } = setUp();
  recorder.record(event('x', { regarding: about('x'.repeat(250)) }));
  await time.advance(10);
  expect(events()[0]?.metadata.name).toMatch(/^id-/);
});

describe('sending', () => {
  test('runtime case 73: a refusal is final', async () => {
    const { time, recorder, server, fates } = setUp();
    server.refusal = { status: 403, body: { reason: 'Forbidden', message: 'namespace is being terminated' } };
    recorder.record(event('x'));
    await time.advance(3_600_000);
    expect(server.tries).toBe(1);
    expect(fates).toEqual(['refused']);
  });

  test('an API server that cannot be reached is tried twelve times, 10 s apart', async () => {
    const { time, recorder, server, fates } = setUp();
    server.down = true;
    recorder.record(event('x'));
    await time.advance(10_000);
    expect(server.tries).toBe(2);
    await time.advance(100_000);
    expect(server.tries).toBe(12);
    expect(fates).toEqual(['given-up']);
    await time.advance(3_600_000);
    expect(server.tries).toBe(12);
  });

  test('an answer that was lost makes no second event', async () => {
    const { time, http, recorder, events } = setUp();
    const serve = http.answer;
    let lost = 0;
    http.answer = async (request) => {
      const answer = await serve(request);
      return lost++ === 0 ? new Error('connection reset') : answer;
    };
    recorder.record(event('made it'));
    await time.advance(60_000);
    recorder.record(event('made it'));
    await time.advance(1000);
    expect(events().map((e) => e.count)).toEqual([2]);
  });

  test('one that waits for another try is not sent once leadership has ended', async () => {
    const { time, server, permit, recorder, events } = setUp();
    server.down = true;
    recorder.record(event('made it'));
    await time.advance(100);
    server.down = false;
    permit.mayAct = false;
    await time.advance(60_000);
    expect(events()).toEqual([]);
  });

  test('what happened meanwhile is written when the API server is back, with the time at which it happened', async () => {
    const { time, recorder, server, events } = setUp();
    server.down = true;
    recorder.record(event('x'));
    recorder.record(event('y'));
    await time.advance(30_000);
    server.down = false;
    await time.advance(10_000);
    expect(events().map((e) => [e.message, e.firstTimestamp])).toEqual([
      ['x', '2026-12-01T00:00:00Z'],
      ['y', '2026-12-01T00:00:00Z'],
    ]);
  });

  test('at most 1000 wait, more are dropped', async () => {
    const { time, recorder, server, fates } = setUp();
    server.down = true;
    for (let i = 0; i < 1500; i++) recorder.record(event('x', { regarding: about(`vmi-${i}`) }));
    await time.advance(10);
    expect(fates.filter((f) => f === 'overflow')).toHaveLength(499);
  });
});

test('VMI and migration controllers share a recorder, the VM controller has its own (runtime.md 10.1)', () => {
  const recorders = new EventRecorders(setUp().make);
  const migration = anyController({ ...vmi, name: 'migration', eventRecorder: 'vmi' });
  expect(recorders.of(migration)).toBe(recorders.of(anyController(vmi)));
  expect(recorders.of(anyController(vm))).not.toBe(recorders.of(anyController(vmi)));
});
