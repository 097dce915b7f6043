// A "reconnect pending" flag that is never cleared: no third attempt (kubernetes-fluent-client PR 1043).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KindCache } from '../../events/relay/cache/kind-cache.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { DEFAULT_TIMING, type Lease, LeaseKeeper } from '../../events/relay/leadership/lease-keeper.ts';
import type { HttpRequest } from '../../events/relay/ports.ts';
import { Reflector } from '../../events/relay/reflector/reflector.ts';
import { Pod } from '../../functions/core/kinds.ts';
import { DeliveryHarness } from '../events/relay/support/delivery-harness.ts';
import { pod } from '../events/relay/support/objects.ts';
import { ScriptedHttp, type ScriptedStream } from '../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';

/** All that can go wrong with one list or one watch. */
const faults = [
  'unreachable',
  'hangs',
  '410',
  '403',
  '500',
  'garbage',
  'ends at once',
  'ends after an event',
  'breaks off',
  'error event 410',
  'error event 500',
  'event without object',
  'silence',
  'a list is demanded',
] as const;
type Fault = (typeof faults)[number];

const LONGEST_FAULT_MS = 80_000;

/** A server that meets one fault after another, each at the next list or watch, and is well after that. */
class FaultyServer {
  readonly http = new ScriptedHttp();
  readonly time = new VirtualTime();
  readonly cache = new KindCache(Pod);
  readonly reflector: Reflector;
  readonly demanded: Promise<void>[] = [];
  answeredDemands = 0;
  #version = 10;
  readonly #faults: Fault[];

  constructor(story: readonly Fault[]) {
    this.#faults = [...story];
    const stream = this.http.stream.bind(this.http);
    this.http.answer = (request) => this.#list(request);
    this.http.stream = async (request) => {
      const fault = this.#faults.shift();
      if (fault === 'hangs') return this.#hang(request);
      this.http.openStream = () => this.#refusal(fault);
      const opened = await stream(request);
      if (this.http.streams.at(-1) === opened) this.#spoil(opened as ScriptedStream, fault);
      return opened;
    };
    const api = new KubeApi(this.http, this.time.ports.timers, () => Promise.resolve());
    this.reflector = new Reflector(this.cache, api, this.time.ports);
  }

  get isThrough(): boolean {
    return this.#faults.length === 0;
  }

  demandList(): void {
    this.demanded.push(this.reflector.relist(this.demanded.length + 2).then(() => void this.answeredDemands++));
  }

  async #list(request: HttpRequest) {
    const fault = this.#faults.shift();
    if (fault === 'hangs') return this.#hang(request);
    if (fault === 'a list is demanded') this.demandList();
    if (fault === 'garbage') return { status: 200, body: 'no list' };
    const page = { metadata: { resourceVersion: String(++this.#version) }, items: [pod('a', this.#version)] };
    return this.#refusal(fault) ?? { status: 200, body: page };
  }

  #refusal(fault: Fault | undefined) {
    if (fault === 'unreachable') return new Error('connection refused');
    const status = fault === '410' || fault === '403' || fault === '500' ? Number(fault) : undefined;
    return status === undefined ? undefined : { status, body: { reason: 'refused' } };
  }

  #hang({ timeoutMs }: HttpRequest): Promise<never> {
    return new Promise((_, reject) => this.time.ports.timers.after(timeoutMs, () => reject(new Error('time limit'))));
  }

  #spoil(stream: ScriptedStream, fault: Fault | undefined): void {
    const event = { type: 'MODIFIED', object: pod('a', ++this.#version) };
    const spoil: Partial<Record<Fault, () => void>> = {
      'a list is demanded': () => this.demandList(),
      'ends at once': () => stream.end(),
      garbage: () => stream.send('no event'),
      'error event 410': () => stream.send({ type: 'ERROR', object: { code: 410 } }),
      'error event 500': () => stream.send({ type: 'ERROR', object: { code: 500 } }),
      'event without object': () => stream.send({ type: 'MODIFIED' }),
      'ends after an event': () => {
        stream.send(event);
        stream.end();
      },
      'breaks off': () => {
        stream.send(event);
        stream.cut();
      },
    };
    if (fault !== undefined) spoil[fault]?.();
  }
}

async function expectRecovery(story: readonly Fault[]): Promise<void> {
  const s = new FaultyServer(story);
  s.reflector.start(1);
  for (let i = 0; i <= story.length && !s.isThrough; i++) await s.time.advance(LONGEST_FAULT_MS);
  expect(s.isThrough).toBe(true);
  await s.time.advance(LONGEST_FAULT_MS);
  expect(s.answeredDemands).toBe(s.demanded.length);
  const open = () => s.http.streams.findLast((watch) => watch.cutBy === 'nobody');
  // The server never ends a watch by itself here, so that now and then one is cut for its silence.
  for (let i = 0; i < 20 && open() === undefined; i++) await s.time.advance(1_000);
  open()?.send({ type: 'MODIFIED', object: pod('a', 1_000) });
  await s.time.advance(0);
  expect(s.cache.get('ns/a')?.metadata.resourceVersion).toBe('1000');
  expect(s.reflector.healthy).toBe(true);
  s.reflector.stop();
}

test.each(faults)('%s, three times in a row and more: it goes on', async (fault) => {
  for (let times = 1; times <= 8; times++) await expectRecovery(Array.from({ length: times }, () => fault));
});

test('after every pair of faults it goes on', async () => {
  for (const first of faults) for (const second of faults) await expectRecovery([first, second]);
});

test('after any story of faults it goes on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...faults), { minLength: 3, maxLength: 12 }), expectRecovery),
    { numRuns: 60 },
  );
});

test('a lease is asked for again however often the granter failed, and renewed likewise', async () => {
  const time = new VirtualTime();
  let isUp = false;
  let renewals = 0;
  const ask = () => Promise.resolve(isUp ? ({ type: 'held' } as const) : ({ type: 'refused', why: 'down' } as const));
  const lease: Lease = {
    name: 'test',
    acquire: ask,
    renew: () => {
      renewals++;
      return ask();
    },
    release: () => Promise.resolve(),
  };
  const keeper = new LeaseKeeper(lease, DEFAULT_TIMING, time.ports);
  let held = false;
  void keeper.acquire().then(() => (held = true));
  await time.advance(60_000);
  expect(held).toBe(false);
  isUp = true;
  await time.advance(3_000);
  expect(held).toBe(true);
  void keeper.keep();
  for (let i = 0; i < 5; i++) {
    isUp = false;
    await time.advance(6_000);
    isUp = true;
    await time.advance(3_000);
    expect(keeper.mayAct).toBe(true);
  }
  expect(renewals).toBeGreaterThan(15);
});

test('keys that come while leadership is in doubt are delivered when it is not any more', async () => {
  const h = new DeliveryHarness('a');
  h.delivery.start();
  await h.time.advance(1_000);
  h.permit.mayAct = false;
  for (let i = 0; i < 5; i++) h.delivery.visit('ns/a');
  await h.time.advance(30_000);
  expect(h.requests).toHaveLength(1);
  h.permit.mayAct = true;
  await h.time.advance(2_000);
  expect(h.requests).toHaveLength(2);
  await h.time.advance(60_000);
  expect(h.requests).toHaveLength(2);
});
